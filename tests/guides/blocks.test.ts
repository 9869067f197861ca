import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../support/temporary-folder.js';
import { type Block, blocksOf, GUIDES, linesOf } from './blocks.js';
import { nameOf, OPTIONS, type Pasted, paste } from './pasted.js';

const root = temporaryFolder();
let folders = 0;

function pasted(block: Pick<Block, 'script'>): Promise<Pasted> {
  folders += 1;
  const folder = join(root, String(folders));
  mkdirSync(folder);
  return paste(block, folder);
}

describe('each block of a guide runs in a new shell, as a reader pastes it', () => {
  const blocks = GUIDES.map((guide) => [...blocksOf(guide), ...linesOf(guide)]);
  const results = new Map<Block, Pasted>();
  beforeAll(async () => {
    const running = blocks.map(async (own) => {
      for (const block of own) results.set(block, await pasted(block));
    });
    await Promise.all(running);
  });

  it.each(GUIDES)('docs/%s', (guide) => {
    const own = blocks[GUIDES.indexOf(guide)] as readonly Block[];
    const faults = own.flatMap((block) => {
      const { fault } = results.get(block) as Pasted;
      return fault ? [`${block.name}: ${fault}`] : [];
    });
    expect(faults).toEqual([]);
  });

  it('and they use each command whose options are known', () => {
    const calls = [...results.values()].flatMap(({ calls }) => calls);
    const used = new Set(calls.flatMap(([command, ...words]) => (command === 'aws' ? [nameOf(words)] : [])));
    expect(used.size).toBeGreaterThan(50);
    expect(Object.keys(OPTIONS).filter((name) => name !== '' && !used.has(name))).toEqual([]);
  });
});

describe('a block is found wrong', () => {
  const [region, table] = ['--region eu-central-1', '--table-name items-live'];
  const describeTable = `aws dynamodb describe-table ${region} ${table}`;
  const restApi = `api=$(aws apigateway get-rest-apis ${region} --query items --output text)`;
  const httpApi = `api=$(aws apigatewayv2 get-apis ${region} --query Items --output text)`;
  const stopRest = `${restApi}\naws apigateway update-stage ${region} --rest-api-id "$api" --stage-name live`;
  const stopHttp = `${httpApi}\naws apigatewayv2 update-stage ${region} --api-id "$api" --stage-name live`;
  const stop = (instances: number) =>
    `aws lambda put-function-concurrency ${region} --function-name api --reserved-concurrent-executions ${instances}`;

  it.each([
    ['a variable of the block before', 'aws dynamodb describe-table --table-name $to', 'to: unbound variable'],
    ['a command that is unknown', 'asw dynamodb list-tables', 'asw: command not found'],
    ['an option that is misspelled', `${describeTable} --tabel`, 'takes no --tabel'],
    ['an option that is missing', `aws dynamodb describe-table ${region}`, 'needs --table-name'],
    ['a command of AWS that is unknown', 'aws dynamodb describe-tables', 'aws-options.json has no'],
    ['an empty argument', `empty=\n${describeTable} --query "$empty"`, 'an argument is empty'],
    ['an argument with an empty value', `empty=\n${describeTable} --query a=$empty`, 'an argument is empty'],
    ['an address that is empty', 'url=\ncurl -s "$url"', 'an argument is empty: curl'],
    ['the alternatives of two front doors', `${stopRest}\n${stopHttp}`, 'an argument is empty'],
    ['what stops a stage and what starts it again', `${stop(0)}\n${stop(1)}`, 'changes twice'],
    [
      'two ways to start it again',
      `${stop(1)}\naws lambda delete-function-concurrency ${region} --function-name api`,
      'changes twice',
    ],
    [
      'a change set that is executed before it is read',
      `aws cloudformation create-change-set ${region} --stack-name a --change-set-name b
       aws cloudformation execute-change-set ${region} --stack-name a --change-set-name b`,
      'changes twice',
    ],
    [
      'the time of a deleted table as an argument of what restores its backup',
      `backup=$(aws dynamodb list-backups ${region} --query BackupArn --output text)
       aws dynamodb restore-table-from-backup ${region} --backup-arn "$backup" --target-table-name a
       aws dynamodb restore-table-to-point-in-time ${region} --target-table-name b --restore-date-time $(
         aws dynamodb describe-continuous-backups ${region} ${table} --query LatestRestorableDateTime)`,
      /failed TableNotFoundException|argument is empty/,
    ],
    ['waiting for what never comes', 'until false; do sleep 20; done', /./],
  ])('that has %s', async (_what, script, fault) => {
    expect((await pasted({ script })).fault).toMatch(fault);
  });

  it.each([
    ['each front door', stopRest],
    ['each front door', stopHttp],
  ])('unless it is right for a stage of %s', async (_what, script) => {
    expect((await pasted({ script })).fault).toBeUndefined();
  });

  it('with the alternatives of the other way to restore a table', async () => {
    const restoring = blocksOf('restore.md').filter(({ script }) => script.includes('--target-table-name'));
    const script = restoring.map((block) => block.script).join('');
    expect(restoring).toHaveLength(2);
    expect((await pasted({ script })).fault).toMatch('argument is empty');
  });

  it('if it continues another one without saying so', () => {
    const guide = (words: string) => `# A\n\n\`\`\`sh\na=1\n\`\`\`\n\n${words}:\n\n\`\`\`sh\necho $a\n\`\`\`\n`;
    const second = (words: string) => blocksOf('a.md', guide(words))[1];
    expect(second('Then')).toEqual({ guide: 'a.md', name: 'A, 2', script: 'echo $a\n' });
    expect(second('Then, in the same shell')).toMatchObject({ script: 'a=1\necho $a\n' });
  });
});
