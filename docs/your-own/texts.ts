import { GONE_PACKAGES, ownScripts, withoutGoneLinks, withoutGonePaths, withoutMarked } from './gone.js';
import type { Names } from './names.js';

/** Files whose text is about to-dos. Some tests also name to-dos, where it makes no difference to them. */
const GUIDE = /\.md$/;
const OTHER_TEXT = /^(?!tests\/).*(\.yml|\/deploy-policy\.json)$/;
/** Configurations with lists of folders. */
const LISTS_FOLDERS = /^(renovate|tsconfig|biome)\.json$/;

/**
 * Makes a file one of the service of these names: says what that is called, and takes out what is about to-dos.
 *
 * @param file - Its path in the repository.
 */
export function ownVersion(file: string, text: string, names: Names): string {
  const left = withoutMarked(text);
  if (GUIDE.test(file)) return renamed(`${withoutGoneLinks(file, withoutExchanges(left)).trimEnd()}\n`, names);
  if (OTHER_TEXT.test(file)) return renamed(left, names);
  if (LISTS_FOLDERS.test(file)) return withoutGonePaths(left);
  if (file === 'package.json') return ownManifest(left, names);
  if (file === 'package-lock.json') return ownLock(left, names);
  if (file === 'LICENSE') return ownLicense(left, names);
  if (file === 'functions/routes.ts') return ownRoutes(left, names);
  return left;
}

/** Speaks of items instead of to-dos. */
export function withoutToDos(text: string): string {
  return text
    .replace(/\bto-do list\b/g, 'list')
    .replace(/\b([aA])(\s+)to-do(?: item)?\b/g, '$1n$2item')
    .replace(/\b([Tt])o-do(?: item)?(s?)\b/g, (_, first: string, s: string) => `${first === 'T' ? 'I' : 'i'}tem${s}`);
}

/** Leaves out requests and their answers, which have members of to-dos. */
function withoutExchanges(text: string): string {
  return text.replace(/^( *)```http\n.*?^\1```\n\n?/gms, '');
}

/** Replaces the forms of to-dos, in this order. */
function renamed(text: string, { name, identifier, schema, path, operations, title, service }: Names): string {
  const named = text
    .replaceAll('todo-item-service', service)
    .replaceAll('To-do Item Service', title)
    .replaceAll('/api/todo', path)
    .replaceAll('api/todo', path.slice(1))
    .replaceAll('ApiTodo', operations)
    .replaceAll('TodoItem', schema)
    .replaceAll('todoItem', identifier)
    .replace(/\btodo\b/g, name);
  return withoutToDos(named);
}

/** Members keep their places. */
function ownManifest(text: string, { service, title }: Names): string {
  const manifest = JSON.parse(text);
  const { scripts, description, devDependencies } = manifest;
  const own = { name: service, title, description: withoutToDos(description), scripts: ownScripts(scripts) };
  return `${JSON.stringify({ ...manifest, ...own, devDependencies: withoutGone(devDependencies) }, null, 2)}\n`;
}

function ownLock(text: string, { service }: Names): string {
  const lock = JSON.parse(text);
  const { '': root, ...others } = lock.packages;
  const own = { ...root, name: service, devDependencies: withoutGone(root.devDependencies) };
  return `${JSON.stringify({ ...lock, name: service, packages: { '': own, ...withoutGone(others) } }, null, 2)}\n`;
}

/** Leaves packages out that are gone, by their names, or the paths of their folders. */
function withoutGone<Value>(packages: Readonly<Record<string, Value>>): Record<string, Value> {
  const isLeft = (name: string) => !GONE_PACKAGES.includes(name.replace(/^node_modules\//, ''));
  return Object.fromEntries(Object.entries(packages).filter(([name]) => isLeft(name)));
}

/** The licence requires that the authors of the copied code stay named. */
function ownLicense(text: string, { title }: Names): string {
  return text.replace(/^Copyright \(c\) (\d+) The authors of .*$/m, (_, year: string) =>
    [
      `Copyright (c) ${new Date().getFullYear()} The authors of ${title}`,
      `Copyright (c) ${year} The authors of the service that it was made from`,
    ].join('\n'),
  );
}

function ownRoutes(text: string, { name, identifier }: Names): string {
  return text
    .replace("import * as todo from './todo.js'", `import * as ${identifier} from './${name}.js'`)
    .replace('{ todo }', identifier === name ? `{ ${name} }` : `{ '${name}': ${identifier} }`);
}
