import { describe, expect, it } from '@jest/globals';
import { parseYaml } from '../../serverless/local/parse-yaml.js';
import { PARAMETERS } from '../../serverless/parameters/parameters.js';
import { stageBlocks } from './blocks.js';

const blocks = stageBlocks();

describe('a reader who pastes what a guide shows of stages.yml loses no setting', () => {
  it('because whole blocks stand only where a stage is described for the first time, with what every stage needs', () => {
    const whole = blocks.filter(({ isWhole }) => isWhole);
    expect(whole.map(({ guide }) => guide).sort()).toEqual(['../README.md', 'deploy-from-ci.md', 'deploy.md']);
    for (const { text } of whole)
      for (const stage of Object.values(parseYaml(text) as object))
        expect(Object.keys(stage)).toEqual(expect.arrayContaining(['region', 'table', 'tokenIssuer']));
  });

  it.each(blocks.filter(({ isWhole }) => !isWhole))(
    'because lines to add are indented like a stage and say where they belong: $guide, $text',
    ({ text }) => {
      const [comment, ...lines] = text.trimEnd().split('\n');
      expect(comment).toMatch(/^ {2}# (Add to|In place of) the stage's /);
      for (const line of lines) expect(line).toMatch(/^ {2}\S/);
      const { live } = parseYaml(`live:\n${text}`) as { live: object };
      expect(Object.keys(PARAMETERS)).toEqual(expect.arrayContaining(Object.keys(live)));
      // It would open a stage that has sign-in.
      expect(live).not.toHaveProperty('tokenIssuer', 'none');
    },
  );

  it('and there are both kinds', () => {
    expect(new Set(blocks.map(({ isWhole }) => isWhole)).size).toBe(2);
  });
});
