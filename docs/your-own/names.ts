import { transformSync } from 'esbuild';

/** The forms of a resource's name, and where its items are. */
export interface Names {
  /** In files and rows: `lunch-order`. */
  readonly name: string;
  /** In code: `lunchOrder`. */
  readonly identifier: string;
  /** In documents: `LunchOrder`. */
  readonly schema: string;
  /** In prose: `lunch order`. */
  readonly words: string;
  /** `/v2/lunch-orders`. */
  readonly path: string;
  /** What operation ids begin with: `V2LunchOrders`. */
  readonly operations: string;
  /** `Lunch Order Service`. */
  readonly title: string;
  /** In stacks and packages: `lunch-order-service`. */
  readonly service: string;
}

/**
 * Makes the names of a service.
 *
 * @param name - What one item is, in lower case, with hyphens between words.
 * @param path - Where the list is.
 * @param title - What the service is called.
 * @param taken - Names and identifiers that the project uses already.
 * @throws Error with a sentence about the first that can't be used.
 */
export function namesOf(name: string, path: string, title: string, taken: readonly string[]): Names {
  if (!/^[a-z][a-z\d]*(-[a-z][a-z\d]*)*$/.test(name))
    throw new Error(`"${name}" is no name: it takes lower-case words with hyphens between them, like lunch-order.`);
  const schema = capitalized(name);
  const identifier = schema.charAt(0).toLowerCase() + schema.slice(1);
  if (taken.includes(name) || taken.includes(identifier))
    throw new Error(`"${name}" is taken: functions/ has a file or a constant of that name. Take another one.`);
  if (!isIdentifier(identifier)) throw new Error(`"${name}" is a word of TypeScript's own. Take another one.`);
  if (!/^(\/[A-Za-z\d][\w.~-]*)+$/.test(path))
    throw new Error(`"${path}" is no path of a list: it takes one like /v2/lunch-orders, without parameters.`);
  if (/^\/swagger(\/|$)/i.test(path))
    throw new Error('Below /swagger are the documents and the page. Take another path.');
  if (!/^[A-Z][\w&' -]*$/i.test(title))
    throw new Error(`"${title}" is no title: it takes words like "Lunch Order Service".`);
  const service = title
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-')
    .replace(/^-|-$/g, '');
  if (service.length > 40)
    throw new Error(`"${title}" is too long: stages and functions are named after it. Take 40 characters at most.`);
  return {
    name,
    identifier,
    schema,
    words: name.replaceAll('-', ' '),
    path,
    operations: path.split('/').map(capitalized).join(''),
    title,
    service,
  };
}

/** Joins the words, which hyphens part, each with its first letter in upper case: as operation ids have them. */
function capitalized(words: string): string {
  return words.replace(/(?:^|-+)(.?)/g, (_, letter: string) => letter.toUpperCase());
}

function isIdentifier(text: string): boolean {
  try {
    transformSync(`export const ${text} = 0`, { format: 'esm', loader: 'ts', logLevel: 'silent' });
    return true;
  } catch {
    return false;
  }
}
