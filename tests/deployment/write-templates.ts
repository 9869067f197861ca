// `npm run templates` says what an update of a live stage to the templates of the project as it is would replace, lose or fail at, and
// what `npm run diff` warns of. It writes them to templates/: where it says something, only with --replace.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { compare } from '../../serverless/changes/changes.js';
import { copyForPackaging } from './packaging.js';
import { committedTemplate, fileOf, makeTemplates, TEMPLATE_NAMES } from './templates.js';
import { updateFaults } from './updates.js';

const folder = mkdtempSync(join(tmpdir(), 'todo-'));
try {
  const templates = await makeTemplates(copyForPackaging(folder));
  const isChanged = (name: (typeof TEMPLATE_NAMES)[number]) =>
    !existsSync(fileOf(name)) || !isDeepStrictEqual(committedTemplate(name), templates[name]);
  const changed = TEMPLATE_NAMES.filter(isChanged);
  const faults = changed.flatMap((name) => {
    if (!existsSync(fileOf(name))) return [];
    const [from, to] = [committedTemplate(name), templates[name]];
    const { sentences } = compare({ template: from, role: undefined }, { template: to, role: undefined });
    const warnings = sentences.filter(({ warns }) => warns).map(({ text }) => text);
    return [...updateFaults(from, to), ...warnings].map((fault) => `${name}: ${fault}`);
  });
  for (const fault of faults) console.error(fault);
  if (faults.length > 0 && !process.argv.includes('--replace')) {
    console.error('Nothing is written. If a live stage may lose that: npm run templates -- --replace');
    process.exitCode = 1;
  } else {
    for (const name of changed) writeFileSync(fileOf(name), `${JSON.stringify(templates[name], null, 2)}\n`);
    console.log(changed.length > 0 ? `Written: ${changed.map(fileOf).join(', ')}` : 'No template has changed.');
  }
} finally {
  rmSync(folder, { recursive: true });
}
