import { posix } from 'node:path';
import type { Names } from './names.js';

/** What is about to-dos, or about making a service of them: files, folders, and beginnings of files. */
export const GONE: readonly string[] = [
  'functions/todo.ts',
  'tests/functions/todo/',
  'tests/trials/',
  'tests/bench/',
  'tests/contract/clients/',
  'docs/your-own/',
  'docs/front-end/',
  'docs/performance.md',
  'docs/performance-',
  'docs/page-',
];

/** The scripts that go with them, and what guides call what they did. */
export const GONE_SCRIPTS: Readonly<Record<string, string>> = {
  bench: 'a benchmark',
  contract: 'generated clients',
  'your-own': 'a command',
  'your-own:trial': 'a trial',
  recipes: 'a trial of the recipes',
};

export const isGone = (file: string) => GONE.some((beginning) => file.startsWith(beginning));

/**
 * Says in a guide, a policy or a workflow what the service is called now, and takes out what is gone: sections, rows and items of
 * lists about it, and links to it.
 *
 * @param file - Its path, for the links in it.
 */
export function ownText(file: string, text: string, names: Names): string {
  return rename(file.endsWith('.md') ? withoutGone(file, text) : text, names);
}

/** The forms of to-dos in the order in which they are replaced. */
function rename(text: string, names: Names): string {
  const { name, identifier, schema, path, operations, title, service } = names;
  return text
    .replaceAll('todo-item-service', service)
    .replaceAll('To-do Item Service', title)
    .replaceAll('/api/todo', path)
    .replaceAll('api/todo', path.slice(1))
    .replaceAll('ApiTodo', operations)
    .replaceAll('TodoItem', schema)
    .replaceAll('todoItem', identifier)
    .replace(/\btodo\b/g, name)
    .replace(/\ba (whole |new |single )?to-do item\b/g, 'an $1item')
    .replace(/\bto-do (items?)\b/gi, '$1')
    .replace(/\bthe to-do list\b/g, 'the list')
    .replace(/\bA to-do\b/g, 'An item')
    .replace(/\ba to-do\b/g, 'an item')
    .replace(/\bTo-dos\b/g, 'Items')
    .replace(/\bto-dos\b/g, 'items')
    .replace(/\bto-do\b/g, 'item');
}

function withoutGone(file: string, text: string): string {
  const isGoneLink = (target: string) => isGone(posix.join(posix.dirname(file), target));
  const mentions = (line: string) =>
    Array.from(line.matchAll(/\]\(([^)#\s]+)/g)).some(([, target = '']) => isGoneLink(target)) ||
    Object.keys(GONE_SCRIPTS).some((script) => new RegExp(`npm run ${script}(?![\\w:-])`).test(line)) ||
    GONE.some((path) => line.includes(`\`${path.replace(/\/$/, '')}`));
  return text
    .replace(/<!-- to-dos -->\n.*?<!-- \/to-dos -->\n+/gs, '')
    .split('\n')
    .filter((line) => !(/^\|/.test(line) && mentions(line)))
    .join('\n')
    .replace(/ ?\(\[[^\]]*\]\(([^)#\s]+)[^)]*\)\)/g, (whole, target) => (isGoneLink(target) ? '' : whole))
    .replace(/\[([^\]]*)\]\(([^)#\s]+)[^)]*\)/g, (whole, words, target) => (isGoneLink(target) ? words : whole))
    .replace(/`npm run ([\w:-]+)[^`]*`/g, (whole, script) => GONE_SCRIPTS[script] ?? whole)
    .replace(/`([\w./-]+)`/g, (whole, path) => (isGone(path) || isGone(`${path}/`) ? path : whole));
}
