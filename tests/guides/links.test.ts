import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, it } from '@jest/globals';

const guides = ['.', 'docs'].flatMap((folder) => {
  const names = readdirSync(folder).filter((name) => name.endsWith('.md'));
  return names.map((name) => {
    const path = posix.join(folder, name);
    // Comments in blocks of code look like headings.
    return { path, text: readFileSync(path, 'utf8').replace(/^ *```.*?^ *```/gms, '') };
  });
});

/** As GitHub makes them. */
const anchors = guides.flatMap(({ path, text }) =>
  Array.from(text.matchAll(/^#+ (.*)$/gm), ([, heading = '']) => {
    const name = heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '');
    return `${path}#${name.replaceAll(' ', '-')}`;
  }),
);

it.each(guides)('$path links to files and headings that are there', ({ path, text }) => {
  const links = Array.from(text.matchAll(/(?:\]\(|srcset="|src=")(?!https?:)([^)"\s]+)/g), ([, link = '']) => link);
  const targets = links.map((link) => (link.startsWith('#') ? path + link : posix.join(posix.dirname(path), link)));
  expect(targets.filter((target) => !anchors.includes(target) && !existsSync(target))).toEqual([]);
});
