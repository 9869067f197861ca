import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

/** These are the same in each region. */
const GLOBAL = ['budgets', 'configure', 'iam', 'sso'];

it('each command of the guides says its region, so that none works on what another shell has made elsewhere', () => {
  const guides = readdirSync('docs').filter((name) => name.endsWith('.md'));
  const commands = guides.flatMap((name) => {
    const text = readFileSync(`docs/${name}`, 'utf8').replaceAll('\\\n', ' ');
    return text.match(/(?<![\w-])aws [a-z0-9-]+ (wait )?[$a-z][a-z-]+ [^\n`;|]*/g) ?? [];
  });
  const regional = commands.filter((command) => !GLOBAL.includes(command.split(' ')[1] as string));
  expect(regional.length).toBeGreaterThan(20);
  expect(regional.filter((command) => !command.includes(' --region '))).toEqual([]);
});
