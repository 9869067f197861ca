import { posix } from 'node:path';
import { scripts } from '../../package.json';
import app from '../front-end/package-lock.json';

/** What is about to-dos, or about making a service of them: files, folders, beginnings of files, and an option of npm start. */
const GONE: readonly string[] = [
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
  'docs/app-',
  'docs/screenshots.ts',
  'serverless/local/web-app.ts',
  'tests/app/',
  'tests/support/browser/app.ts',
  '--app',
];

/** The packages that only the web app has: the code of the app in the browser. */
export const GONE_PACKAGES: readonly string[] = Object.entries(app.packages)
  .filter(([path, details]) => path !== '' && !('dev' in details))
  .map(([path]) => path.replace('node_modules/', ''));

/** The folders of these. They may have files that the repository does not. */
export const GONE_FOLDERS: readonly string[] = GONE.filter((path) => path.endsWith('/'));

/** The commands of package.json that go with them. */
const GONE_SCRIPTS = Object.keys(scripts).filter((name) => !(name in ownScripts(scripts)));

export const isGone = (file: string) => GONE.some((beginning) => file.startsWith(beginning));

/** Finds what a text names that is gone: a path, or a command. Undefined if there is nothing. */
export function goneIn(text: string): string | undefined {
  return (
    GONE.find((path) => isNamed(path, text)) ??
    GONE_SCRIPTS.find((script) => new RegExp(`npm run (--silent )?${script}(?![\\w:-])`).test(text))
  );
}

/** A folder may be named without its slash, but docs/NAME.md is not the folder docs/NAME. */
function isNamed(path: string, text: string): boolean {
  const behind = path.endsWith('-') ? '' : '(?!\\.?[\\w-])';
  return new RegExp(`${path.replace(/\/$/, '').replaceAll('.', '\\.')}${behind}`).test(text);
}

/**
 * Takes out of the scripts of package.json each command that is about something that is gone. A script goes if its last command
 * does: those before it only prepare that.
 */
export function ownScripts(scripts: Readonly<Record<string, string>>): Record<string, string> {
  const isGoneCommand = (command: string) => GONE.some((path) => isNamed(path, command));
  const gone = Object.keys(scripts).filter((name) => isGoneCommand(scripts[name]?.split(' && ').at(-1) ?? ''));
  const isLeft = (command: string) =>
    !isGoneCommand(command) &&
    !gone.some((name) => command.split(' ').includes(name) && command.startsWith('npm run '));
  return Object.fromEntries(
    Object.entries(scripts)
      .filter(([name]) => !gone.includes(name))
      .map(([name, script]) => [name, script.split(' && ').filter(isLeft).join(' && ')]),
  );
}

/**
 * Takes out what is marked as about to-dos: in Markdown between `<!-- to-dos -->` and `<!-- /to-dos -->`, which are on lines of their own
 * or within one, elsewhere between lines with the comments `<to-dos>` and `</to-dos>`.
 */
export function withoutMarked(text: string): string {
  return text
    .replace(/^ *<!-- to-dos -->\n.*?^ *<!-- \/to-dos -->\n+/gms, '')
    .replace(/<!-- to-dos -->.*?<!-- \/to-dos -->/gs, '')
    .replace(/^ *(?:#|\/\/) <to-dos>\n.*?^ *(?:#|\/\/) <\/to-dos>\n/gms, '');
}

/** Leaves what is gone out of the lists of a configuration in JSON. */
export function withoutGonePaths(json: string): string {
  const unlessGone = (whole: string, path: string) => (isGone(path) || isGone(`${path}/`) ? '' : whole);
  // A path with an exclamation mark is excluded.
  return json.replace(/\[[^\][]*\]/g, (list) =>
    list.replace(/"!?([^"]*)",\s*/g, unlessGone).replace(/,\s*"!?([^"]*)"(?=\s*\]$)/, unlessGone),
  );
}

/** Takes out of a guide links to what is gone, and rows of tables that name it. */
export function withoutGoneLinks(file: string, text: string): string {
  const fromHere = (target: string) => posix.join(posix.dirname(file), target);
  const isGoneLink = (target: string) => isGone(fromHere(target));
  const mentions = (row: string) =>
    goneIn(row) !== undefined ||
    Array.from(row.matchAll(/\]\(([^)#\s]+)/g)).some(([, target = '']) => isGoneLink(target)) ||
    Array.from(row.matchAll(/`([\w./-]+)`/g)).some(([, path = '']) => isGoneLink(`${path}/`));
  return text
    .split('\n')
    .filter((line) => !(/^\|/.test(line) && mentions(line)))
    .join('\n')
    .replace(/ ?\(\[[^\]]*\]\(([^)#\s]+)[^)]*\)\)/g, (whole, target) => (isGoneLink(target) ? '' : whole))
    .replace(/\[([^\]]*)\]\(([^)#\s]+)[^)]*\)/g, (whole, words, target) => (isGoneLink(target) ? words : whole));
}
