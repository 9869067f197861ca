import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { scripts } from '../../package.json';

const files = ['.', 'docs', 'docs/decisions', 'tests']
  .flatMap((folder) => readdirSync(folder).map((name) => posix.join(folder, name)))
  .filter((file) => file.endsWith('.md'));

const read = (file: string) => readFileSync(file, 'utf8').replace(/^```.*?^```/gms, '');

/** The anchors of a file's headings, as GitHub makes them. */
const anchorsOf = (file: string) =>
  Array.from(read(file).matchAll(/^#+ (.*)$/gm), ([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

describe.each(files)('%s', (file) => {
  it('links to files and headings that are there', () => {
    const links = Array.from(read(file).matchAll(/\]\(([^)\s]+)\)/g), ([, link = '']) => link);
    const broken = links.filter((link) => {
      if (/^https?:/.test(link)) return false;
      const [path = '', anchor] = link.split('#') as [string, string?];
      const target = path === '' ? file : posix.join(posix.dirname(file), path);
      return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
    });
    expect(broken).toEqual([]);
  });

  it('names files that are there', () => {
    const named = read(file).matchAll(/`((?:functions|shared|docs|serverless|tests)\/[\w./-]+)`/g);
    const missing = Array.from(named, ([, path = '']) => path).filter((path) => !existsSync(path));
    expect(missing.filter((path) => !isFree(path))).toEqual([]);
  });

  it('names commands that are there', () => {
    const text = readFileSync(file, 'utf8');
    const named = Array.from(text.matchAll(/npm run (?:--silent )?([\w:-]+)/g), ([, script = '']) => script);
    expect(named.filter((script) => !(script in scripts))).toEqual([]);
    const paths = Array.from(text.matchAll(/npx jest (tests\/[\w/-]+)/g), ([, path = '']) => path);
    expect(paths.filter((path) => !existsSync(path) && !existsSync(`${path}.test.ts`))).toEqual([]);
  });
});

/** A file that a guide has the reader add, or that another service has in place of to-dos. */
function isFree(path: string): boolean {
  return /NAME|lunch-order|functions\/authorize/.test(path);
}

const decisions = files.filter((file) => file.startsWith('docs/decisions/')).sort();

it.each(decisions)('%s has the form of a decision, and the index of the guides leads to it', (file) => {
  const [heading = '', , date, ...others] = readFileSync(file, 'utf8').split('\n');
  const text = others.join('\n');
  const [number = '', title] = heading.replace('# ', '').split(/\. (.*)/);
  expect([file, date]).toEqual([
    expect.stringContaining(`/${number.padStart(4, '0')}-`),
    expect.stringMatching(/^20\d\d-\d\d-\d\d$/),
  ]);
  const parts = Array.from(text.matchAll(/^\*\*([A-Z][a-z ]+)\.?\*\*/gm), ([, part]) => part);
  expect(parts).toEqual(['Context', 'Decision', 'Rejected', 'Consequences', 'Pinned by']);
  const [argument = '', pins = ''] = text.split('**Pinned by**');
  expect(argument.trim().split(/\s+/).length).toBeLessThanOrEqual(180);
  expect(pins.trim()).not.toContain('\n');
  expect(readFileSync('docs/README.md', 'utf8')).toContain(`${number}. [${title}](${file.replace('docs/', '')})`);
});
