import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, it } from '@jest/globals';

const guides = ['.', 'docs']
  .flatMap((folder) => readdirSync(folder).map((name) => posix.join(folder, name)))
  .filter((file) => file.endsWith('.md'));

it.each(guides)('%s links to files and headings that are there', (guide) => {
  const links = Array.from(textOf(guide).matchAll(/(?:\]\(|srcset="|src=")([^)"\s]+)/g), ([, link = '']) => link);
  expect(links.filter((link) => !/^https?:/.test(link) && !isThere(link, guide))).toEqual([]);
});

function isThere(link: string, guide: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? guide : posix.join(posix.dirname(guide), path);
  return existsSync(target) && (anchor === undefined || anchorsOf(target).includes(anchor));
}

/** The anchors of a guide's headings, as GitHub makes them. */
function anchorsOf(guide: string): string[] {
  return Array.from(textOf(guide).matchAll(/^#+ (.*)$/gm), ([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Without blocks of code, whose comments look like headings. */
function textOf(guide: string): string {
  return readFileSync(guide, 'utf8').replace(/^ *```.*?^ *```/gms, '');
}
