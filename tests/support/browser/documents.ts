import { toSwagger2 } from '../../../docs/generator/swagger2.js';
import { withTokens } from '../../../docs/generator/with-tokens.js';
import type { Document } from '../../../docs/page/markup/swagger-document.js';
import { openApi, parcelRoutes } from '../service/service.js';

/** The document of the service of parcels, which its page is made from. */
export const parcelsDocument = toSwagger2(openApi) as Document;

/** The same where the service asks for tokens. */
export const documentWithTokens = toSwagger2(withTokens(openApi, parcelRoutes)) as Document;

/** The same with each operation under a tag of its own, so that the page also has a filter. */
export const documentInSections: Document = JSON.parse(JSON.stringify(documentWithTokens), function (name, value) {
  return name === 'tags' ? [`Only ${this.operationId}`] : value;
});

/** The operations of parcels, with their methods and paths. */
export const parcelOperations = Object.entries(parcelsDocument.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => ({ path, method, ...described })),
);
