import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { temporaryFolder } from '../support/temporary-folder.js';
import { copyForPackaging, runAll, stagesFile } from './packaging.js';

const project = copyForPackaging(temporaryFolder());
const OPEN = 'The stage dev is open: anyone who knows its address can read and change its list.';
const SIGN_IN = { table: 'items', tokenIssuer: 'https://login.example.com', tokenAudience: 'todo' };
const LIVE = { region: 'eu-central-1', table: 'none', tokenIssuer: 'none' };

it('npm run deploy says that the stage dev is open, unless people sign in or calls are signed; other stages say it themselves', async () => {
  // Nothing answers there: what is deployed first has been said by then.
  const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
  const variables = { ...keys, AWS_ENDPOINT_URL: 'http://127.0.0.1:1', AWS_MAX_ATTEMPTS: '1' };
  const stages: readonly (readonly [stage: string, block: object, isSaid: boolean])[] = [
    ['dev', {}, true],
    ['dev', { table: 'items', tokenIssuer: 'none' }, true],
    ['dev', SIGN_IN, false],
    ['dev', { signedCalls: true }, false],
    ['live', LIVE, false],
  ];
  const runs = stages.map(([stage, block]) => ({
    ...{ command: `deploy --stage ${stage}`, files: stagesFile({ [stage]: block }), variables },
  }));
  const results = await runAll(project, runs);
  expect(readFileSync('docs/deploy.md', 'utf8')).toContain(`\n${OPEN}`);
  expect(results.map(({ printed }) => printed.includes(OPEN))).toEqual(stages.map(([, , isSaid]) => isSaid));
});
