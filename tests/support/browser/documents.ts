import { toSwagger2 } from '../../../docs/generator/swagger2.js';
import { withTokens } from '../../../docs/generator/with-tokens.js';
import type { Document } from '../../../docs/page/markup/swagger-document.js';
import { openApi, parcelRoutes } from '../service/service.js';

/** The document of the service of parcels, which its page is made from. */
export const parcelsDocument = toSwagger2(openApi) as Document;

/** The same where the service asks for tokens. */
export const documentWithTokens = toSwagger2(withTokens(openApi, parcelRoutes)) as Document;

/**
 * Makes a document of several resources of eleven members: parcels with other names, members and descriptions.
 *
 * @param count - How many resources, at most ten.
 */
export function documentOf(count: number): Document {
  const parcels = JSON.stringify(parcelsDocument);
  const documents = NAMES.slice(0, count).map((name): Document => {
    const title = name.charAt(0).toUpperCase() + name.slice(1);
    return JSON.parse(
      parcels
        .replaceAll('Parcel', title)
        .replaceAll('parcel', name)
        .replaceAll(/"(label|note|service|day|due|pieces|weight|fragile|sizes)"/g, `"$1Of${title}"`)
        .replaceAll(/(What|How|When|Whether) ([^"]*)\bit\b/g, `$1 $2the ${name}`),
    );
  });
  return {
    info: parcelsDocument.info,
    paths: Object.assign({}, ...documents.map(({ paths }) => paths)),
    definitions: Object.assign({}, ...documents.map(({ definitions }) => definitions)),
  };
}

const NAMES = ['invoice', 'customer', 'parcel', 'store', 'booking', 'employee', 'contract', 'ticket', 'recipe', 'car'];

/** The operations of parcels, with their methods and paths. */
export const parcelOperations = Object.entries(parcelsDocument.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => ({ path, method, ...described })),
);
