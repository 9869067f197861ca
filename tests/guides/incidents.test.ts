import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { name } from '../../package.json';
import type { Resource } from '../../serverless/changes/deployed-stack.js';
import { committedTemplate, TEMPLATE_NAMES } from '../deployment/templates.js';
import { openShell } from '../support/guide-shell.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const guide = readFileSync('docs/incidents.md', 'utf8');

describe('docs/incidents.md', () => {
  const resources = TEMPLATE_NAMES.flatMap((stage) => Object.entries<Resource>(committedTemplate(stage).Resources));
  const alarms = resources.filter(([, { Type }]) => Type === 'AWS::CloudWatch::Alarm');

  it('has a heading for each alarm that a stage may have, and for no other', () => {
    const [, section = ''] = /^## Alarms\n(.*)/ms.exec(guide) ?? [];
    const headings = Array.from(section.matchAll(/^### (.*)$/gm), ([, heading]) => heading);
    expect(headings.toSorted()).toEqual([...new Set(alarms.map(([id]) => id))].sort());
  });

  it('is where each mail of an alarm leads, by a heading that can be searched in any copy of the repository', () => {
    for (const [id, { Properties }] of alarms)
      expect(Properties.AlarmDescription).toMatch(new RegExp(`^[A-Z].*\\. What to do: ${id} in docs/incidents\\.md$`));
  });

  it('and docs/operate.md say what sets an alarm off, as its mail does', () => {
    const rows = new Map(
      Array.from(
        readFileSync('docs/operate.md', 'utf8').matchAll(/^\| `(\w+Alarm)` +\| (.*?) *\|$/gm),
        ([, id, cell = '']) => [id, cell.split('; ')],
      ),
    );
    for (const [id, { Properties }] of alarms) {
      const [, told] = /\(([^()]+)\)\. What to do/.exec(Properties.AlarmDescription) ?? [];
      expect([id, rows.get(id)]).toEqual([id, expect.arrayContaining([told])]);
    }
    expect([...rows.keys()].toSorted()).toEqual([...new Set(alarms.map(([id]) => id))].sort());
  });

  it('has a query for errors that shows why a request failed: messages of the log are told by their cause', () => {
    const [, shown = ''] = /^query='filter status >= 500 or level = "ERROR" \| fields (.*)'$/m.exec(guide) ?? [];
    expect(shown.split(', ')).toEqual(expect.arrayContaining(['message', 'error.message', 'error.cause.message']));
  });

  it('quotes why tokens are refused as the log says it', () => {
    const [, section = ''] = /^## Nobody can sign in\n(.*?)^## /ms.exec(guide) ?? [];
    const quoted = Array.from(section.matchAll(/`(?:The|…) (.*?\.)`/g), ([, text = '']) => text);
    const source = readFileSync('shared/openid/verify.ts', 'utf8');
    expect(quoted.length).toBeGreaterThan(3);
    expect(quoted.filter((text) => !source.includes(text))).toEqual([]);
  });
});

describe('each block that stops a stage, or undoes that, runs in a shell of its own', () => {
  const folder = temporaryFolder();
  const standIn = `#!/bin/sh
case "$*" in *Outputs*) echo https://a.example/api/todo ;; *' get-'*) echo a1b2c3d4e5 ;; esac
printf '%s\\n' "$*" >> ${folder}/calls
`;
  const shell = openShell(folder, { standIns: { aws: standIn, curl: standIn } });
  const [, section = ''] = /^## Stop everything, and undo it\n(.*?)^## /ms.exec(guide) ?? [];
  const [, ...doors] = section.split(/^### /m);
  const blocks = doors.flatMap((door) =>
    Array.from(door.matchAll(/^```sh\n(.*?)^```/gms), ([, script = '']) => [door.split('\n')[0], script] as const),
  );
  const shows = [
    `cloudformation describe-stacks --stack-name ${name}-live --region eu-central-1 --output text --query Stacks[0].Outputs[?OutputKey=='ApiUrl'].OutputValue`,
    '-s -o /dev/null -w %{http_code}\\n https://a.example/api/todo',
  ];
  const rest = (rate: number, burst: number) => [
    `apigateway get-rest-apis --query items[?name=='${name}-live'].id --output text --region eu-central-1`,
    `apigateway update-stage --rest-api-id a1b2c3d4e5 --stage-name live --region eu-central-1 --patch-operations op=replace,path=/*/*/throttling/rateLimit,value=${rate} op=replace,path=/*/*/throttling/burstLimit,value=${burst}`,
  ];
  const http = (rate: number, burst: number) => [
    `apigatewayv2 get-apis --query Items[?Name=='${name}-live'].ApiId --output text --region eu-central-1`,
    `apigatewayv2 update-stage --api-id a1b2c3d4e5 --stage-name $default --region eu-central-1 --default-route-settings ThrottlingRateLimit=${rate},ThrottlingBurstLimit=${burst}`,
  ];
  const instances = (count: number) =>
    `lambda put-function-concurrency --function-name ${name}-live-api --reserved-concurrent-executions ${count} --region eu-central-1`;

  it.each([
    ['`rest`', 0, rest(0, 0)],
    ['`rest`', 1, rest(100, 50)],
    ['`http`', 0, http(0, 0)],
    ['`http`', 1, http(100, 50)],
    ['`url`', 0, [instances(0)]],
    ['`url`', 1, [`lambda delete-function-concurrency --function-name ${name}-live-api --region eu-central-1`]],
    ['`url`', 2, [instances(1)]],
  ])('%s, block %i', async (door, index, expected) => {
    rmSync(join(folder, 'calls'), { force: true });
    const [, script = ''] = blocks.filter(([name]) => name === door)[index] ?? [];
    await shell(`set -euo pipefail\n${script}`);
    expect(readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n')).toEqual([...expected, ...shows]);
  });

  it('and there are no others', () => {
    expect(blocks).toHaveLength(7);
  });
});
