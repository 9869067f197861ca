import { readdirSync, readFileSync } from 'node:fs';
import { parseYaml } from '../../serverless/local/parse-yaml.js';

/** What a reader of a guide runs in one go, in a shell of its own. */
export interface Block {
  readonly guide: string;
  /** The heading that it is below, and its number there. */
  readonly name: string;
  readonly script: string;
}

/** Before a block, this says that the shell is that of the block before. */
const CONTINUES = /in\s+the\s+same\s+shell/;

/** The names of the guides. */
export const GUIDES = readdirSync('docs').filter((name) => name.endsWith('.md'));

/** Finds the blocks of commands of a guide, each with those before it that its text says it continues. */
export function blocksOf(guide: string, text = readFileSync(`docs/${guide}`, 'utf8')): Block[] {
  const blocks: Block[] = [];
  const sections = text.split(/^(?=#+ )/m);
  for (const section of withoutComments(sections)) {
    const [title = ''] = section.split('\n');
    let [before, number, end] = ['', 0, 0];
    for (const found of section.matchAll(/^```sh\n(.*?)^```$/gms)) {
      const words = section.slice(end, found.index).trim().split('\n\n').at(-1) ?? '';
      const script = (CONTINUES.test(words) ? before : '') + found[1];
      number += 1;
      blocks.push({ guide, name: `${title.replace(/^#+ /, '')}, ${number}`, script });
      [before, end] = [script, found.index + found[0].length];
    }
  }
  return blocks;
}

/** Comments in blocks begin like headings. */
function withoutComments(sections: readonly string[]): string[] {
  const joined: string[] = [];
  for (const section of sections) {
    const last = joined.at(-1) ?? '';
    const isInside = (last.match(/^```/gm) ?? []).length % 2 === 1;
    if (isInside) joined[joined.length - 1] = last + section;
    else joined.push(section);
  }
  return joined;
}

/** Finds the commands of AWS that a guide has in its sentences, and the steps of its workflows. Each runs by itself, too. */
export function linesOf(guide: string): Block[] {
  const text = readFileSync(`docs/${guide}`, 'utf8');
  const lines = Array.from(text.replace(/^```.*?^```/gms, '').matchAll(/`(aws [^`]* --[^`]*)`/g), ([, line = '']) =>
    line.replaceAll('\n', ' '),
  );
  const workflows = Array.from(text.matchAll(/^```yaml\n(.*?)^```/gms), ([, yaml = '']) => parseYaml(yaml)) as {
    jobs: Record<string, { steps: { env?: object; run?: string }[] }>;
  }[];
  const steps = workflows.flatMap(({ jobs }) =>
    Object.values(jobs).flatMap((job) =>
      job.steps.flatMap(({ env = {}, run }) =>
        run
          ? Object.keys(env)
              .map((name) => `${name}=1\n`)
              .join('') + run
          : [],
      ),
    ),
  );
  return [...lines, ...steps].map((script) => ({ guide, name: script, script }));
}

/** What a guide shows of serverless/stages.yml: whole blocks of stages, or lines to add to the block of a stage. */
export interface StageBlock {
  readonly guide: string;
  readonly text: string;
  readonly isWhole: boolean;
}

/** Finds them. `later-changes.md` shows a template of CloudFormation instead. */
export function stageBlocks(guides = ['../README.md', ...GUIDES]): StageBlock[] {
  return guides
    .filter((guide) => guide !== 'later-changes.md')
    .flatMap((guide) =>
      Array.from(readFileSync(`docs/${guide}`, 'utf8').matchAll(/^```yml\n(.*?)^```$/gms), ([, text = '']) => ({
        guide,
        text,
        isWhole: /^\w/.test(text),
      })),
    );
}
