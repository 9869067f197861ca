import { transformSync } from 'esbuild';
import { whyNoTitle } from '../generator/definition-name.js';

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
  /** In stacks and packages: the title as they can spell it, `lunch-order-service`. */
  readonly service: string;
}

/** What all objects have, and functions of JavaScript's own. A constant of such a name hides them. */
const BUILT_IN = ['undefined', 'globalThis', 'escape', 'unescape', 'isFinite', 'isNaN', 'parseFloat', 'parseInt'];

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
  if (!isIdentifier(identifier) || identifier in Object.prototype || BUILT_IN.includes(identifier))
    throw new Error(`"${name}" is a word of TypeScript's own. Take another one.`);
  const reason = whyNoTitle(schema);
  if (reason)
    throw new Error(`"${name}" is no name: the documents would describe an item as ${schema}, but ${reason}.`);
  if (!/^(\/[A-Za-z\d][\w.~-]*)+$/.test(path))
    throw new Error(`"${path}" is no path of a list: it takes one like /v2/lunch-orders, without parameters.`);
  if (/^\/swagger(\/|$)/i.test(path))
    throw new Error('Below /swagger are the documents and the page. Take another path.');
  const [wrong] = /^[^\p{L}\p{N}]|[^\p{L}\p{M}\p{N}&'’.,()+ -]/u.exec(title) ?? [];
  if (wrong !== undefined)
    throw new Error(
      `"${title}" is no title, because of ${JSON.stringify(wrong)}: it takes letters of any language, digits, spaces and ` +
        "& ' ’ . , ( ) + -, and begins with a letter or a digit.",
    );
  const service = spelled(title) ?? `${name}-service`;
  if (service.length > 40)
    throw new Error(`"${service}" is too long: stages and functions are called that. Take 40 characters at most.`);
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

/** Spellings of letters that are not a letter of the English alphabet with an accent. */
const SPELLINGS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
};

/**
 * Spells a title in lower-case letters, digits and hyphens, as the names of stacks and functions are. Undefined if other letters would be
 * lost, or if the first character is not a letter: names of stacks begin with one.
 */
function spelled(title: string): string | undefined {
  const plain = title
    .toLowerCase()
    .replace(/[^a-z]/g, (letter) => SPELLINGS[letter] ?? letter)
    .normalize('NFKD')
    .replace(/\p{M}|['’]/gu, '');
  if (/^[^a-z]|(?![a-z])\p{L}/u.test(plain)) return undefined;
  return plain.replace(/[^a-z\d]+/g, '-').replace(/-$/, '');
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
