import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Template } from '../../serverless/changes/deployed-stack.js';
import { sendTo } from '../../serverless/local/dynamodb.js';
import { parseYaml } from '../../serverless/local/parse-yaml.js';
import { committedTemplate } from '../deployment/templates.js';
import { environmentOf, startTables, type Table } from '../support/dynamodb/tables.js';
import { openShell } from '../support/guide-shell.js';
import { listen } from '../support/listen.js';
import { AUDIENCE, type Provider, startProvider } from '../support/openid/provider.js';
import { startDeployed } from '../support/service/deployed.js';
import { COLLECTION, EXAMPLE } from '../support/service/documented.js';
import { captureLog } from '../support/service/log.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** A call of the AWS command line: service, command and options, such as `--table-name`. One without a value is true. */
interface Call {
  readonly command: string;
  readonly options: Readonly<Record<string, string | true>>;
}

const guide = (name: string) => readFileSync(`docs/${name}.md`, 'utf8');

/** The text of a section up to the next heading. */
function section(name: string, heading: string): string {
  const [, found] = new RegExp(`^#+ ${heading}\n(.*?)(?=^#+ |(?![^]))`, 'ms').exec(guide(name)) ?? [];
  if (found === undefined) throw new Error(`docs/${name}.md has no section "${heading}"`);
  return found;
}

function scriptsOf(markdown: string): string[] {
  return Array.from(markdown.matchAll(/^```sh\n(.*?)^```/gms), ([, script = '']) => script);
}

/** What commands in the place of AWS's were called with. Some are answered by a DynamoDB on this machine. */
const calls: Call[] = [];
const hasJq = process.env.CI || spawnSync('jq', ['--version']).status === 0;
const folder = temporaryFolder();
/** A guide's commands read this. */
const TABLE = 'serverless/dynamodb-table.yml';
/** Of what is on the machine, commands of guides call these. */
const TOOLS = ['cat', 'date', 'sed', 'sort'];
const tables = startTables();
let table: Table;
let provider: Provider;
const aws = createServer(async (request, response) => {
  const [service = '', command = '', ...words]: string[] = JSON.parse(await text(request));
  const options: Record<string, string | true> = {};
  words.forEach((word, index) => {
    const next = words[index + 1];
    if (word.startsWith('--')) options[word] = next === undefined || next.startsWith('--') ? true : next;
  });
  calls.push({ command: `${service} ${command}`, options });
  response.end(await answer(`${service} ${command}`, options));
});

async function answer(command: string, options: Call['options']): Promise<string> {
  const json = (option: string) => JSON.parse(String(options[option]));
  const once = calls.filter((call) => call.command === command).length === 1;
  if (options['--query'] === 'Table.TableStatus') return once ? 'CREATING' : 'ACTIVE';
  if (String(options['--query']).endsWith('LatestRestorableDateTime'))
    return once ? '2026-11-22T15:59:59.999000+00:00' : '2026-11-22T16:00:02.123000+00:00';
  if (options['--table-name'] !== table.name) return '';
  if (command === 'dynamodb query')
    return (
      await sendTo(table)('Query', {
        KeyConditionExpression: options['--key-condition-expression'],
        ExpressionAttributeNames: json('--expression-attribute-names'),
        ExpressionAttributeValues: json('--expression-attribute-values'),
      })
    ).text;
  return (await sendTo(table)('DeleteItem', { Key: json('--key') })).text;
}

/** Runs commands of a guide, and returns what they print. */
async function run(script: string): Promise<string> {
  return shell(`set -uo pipefail\n${script}`);
}

let shell: ReturnType<typeof openShell>;

beforeAll(async () => {
  const standIn = `#!${process.execPath}
    const body = JSON.stringify(process.argv.slice(2));
    fetch(process.env.AWS_STAND_IN, { method: 'POST', body }).then(async (reply) => process.stdout.write(await reply.text()));`;
  const variables = { AWS_STAND_IN: `http://${await listen(aws)}` };
  cpSync(TABLE, join(folder, TABLE));
  const standIns = { aws: standIn, sleep: '#!/bin/sh\n' };
  shell = openShell(folder, { standIns, tools: hasJq ? [...TOOLS, 'jq'] : TOOLS, variables });
  table = await (await tables).create();
  provider = await startProvider();
});

afterAll(async () => {
  aws.close();
  await provider.stop();
  await (await tables).stop();
});

/** AWS's short form of a structure, such as `Enabled=true,AttributeName=expires`. */
function structure(short: unknown): object {
  const members = String(short).split(',');
  return Object.fromEntries(
    members.map((member) => {
      const [name = '', value = ''] = member.split('=');
      return [name, /^(true|false)$/.test(value) ? value === 'true' : value];
    }),
  );
}

describe('a table is restored as the guide says', () => {
  const properties = committedTemplate('table').Resources.Table?.Properties;

  it('from the table of the stage into one that the boundary allows, with the three settings that its template gives', async () => {
    calls.length = 0;
    const [restore = '', wait = '', settings = ''] = scriptsOf(section('restore', 'Restore a table that is there'));
    for (const script of [restore, wait, settings]) await run(script);
    const [asked, askedAgain, restored, waited, waitedAgain, ttl, recovery, protection, ...others] = calls;
    const to = 'items-live.20261122';
    const where = { '--region': 'eu-central-1', '--table-name': to };
    expect(restored).toMatchObject({
      command: 'dynamodb restore-table-to-point-in-time',
      options: {
        '--region': 'eu-central-1',
        '--source-table-name': 'items-live',
        '--target-table-name': to,
        '--restore-date-time': '2026-11-22T16:00:00Z',
      },
    });
    // The first answer was too early.
    for (const call of [asked, askedAgain]) expect(call?.options).toMatchObject({ '--table-name': 'items-live' });
    for (const call of [waited, waitedAgain])
      expect(call).toMatchObject({ command: 'dynamodb describe-table', options: where });
    expect(ttl).toMatchObject({ command: 'dynamodb update-time-to-live', options: where });
    expect(structure(ttl?.options['--time-to-live-specification'])).toEqual(properties.TimeToLiveSpecification);
    expect(recovery).toMatchObject({ command: 'dynamodb update-continuous-backups', options: where });
    const specified = structure(recovery?.options['--point-in-time-recovery-specification']);
    expect(specified).toEqual(properties.PointInTimeRecoverySpecification);
    const options = { ...where, '--deletion-protection-enabled': properties.DeletionProtectionEnabled };
    expect(protection).toEqual({ command: 'dynamodb update-table', options });
    expect(others).toEqual([]);
  });

  it('from the backup that DynamoDB made when it was deleted, under the name that the other steps have', async () => {
    calls.length = 0;
    await run(scriptsOf(section('restore', 'Restore a table that was deleted')).join(''));
    const [listed, restored, ...others] = calls.map(({ options }) => options);
    expect(listed).toMatchObject({ '--table-name': 'items-live', '--backup-type': 'SYSTEM' });
    expect(restored).toMatchObject({ '--target-table-name': 'items-live.20261122' });
    expect(others).toEqual([]);
  });

  it('and rows expire by the attribute that the store writes', async () => {
    const own = await (await tables).create();
    const service = startDeployed(undefined, environmentOf(own));
    const { json: created } = await service.call('POST', COLLECTION, { body: EXAMPLE });
    await service.call('DELETE', `${COLLECTION}/${created.key}`);
    const { Items } = JSON.parse((await sendTo(own)('Scan')).text);
    const [tombstone] = Items.filter(({ key }: { key: { S: string } }) => key.S === created.key);
    const seconds = Number(tombstone[properties.TimeToLiveSpecification.AttributeName]?.N);
    expect(seconds).toBeGreaterThan(Date.now() / 1_000);
  });
});

it('a table is adopted with its name written in the template, because AWS takes no reference there', async () => {
  calls.length = 0;
  const [look = '', adopt = ''] = scriptsOf(section('restore', 'Adopt a table'));
  await run(look);
  expect(calls.map(({ command }) => command)).not.toContain('cloudformation execute-change-set');
  await run(adopt);
  const [made, ...others] = calls;
  expect(made?.options).toMatchObject({
    '--stack-name': 'items-live',
    '--change-set-type': 'CREATE',
    '--import-existing-resources': true,
  });
  const template = parseYaml(String(made?.options['--template-body'])) as Template;
  expect(template.Resources.Table?.Properties.TableName).toBe('items-live');
  expect(others.map(({ command }) => command)).toEqual([
    'cloudformation wait',
    'cloudformation describe-change-set',
    'cloudformation execute-change-set',
  ]);
});

// The guide says that jq is needed.
const withJq = hasJq ? it : it.skip;

withJq('one list is exported and erased as the guide says, with its idempotency keys, and no other', async () => {
  const signIn = { TOKEN_ISSUER: provider.issuer, TOKEN_AUDIENCE: AUDIENCE };
  // Other tests have left rows in the one before.
  table = await (await tables).create();
  const service = startDeployed(undefined, { ...environmentOf(table), ...signIn });
  const create = async (sub: string) => {
    const Authorization = `Bearer ${await provider.sign({ sub })}`;
    return service.call('POST', COLLECTION, { headers: { Authorization, 'Idempotency-Key': 'a' }, body: EXAMPLE });
  };
  const [mine] = [await create('ada'), await create('bob')];
  const rows = async () => JSON.parse((await sendTo(table)('Scan')).text).Items.length;
  const before = await rows();
  const [find = '', exporting = '', erasing = ''] = scriptsOf(section('operate', "One person's list"));
  const found = find
    .replace('items-live', table.name)
    .replace('https://login.example.com', provider.issuer)
    .replace('5f7c8ec7c33c6c004bbafe82', 'ada');
  expect(JSON.parse(await run(found + exporting))).toEqual([mine.json]);
  await run(found + erasing);
  // Of two lists with an item and a key each, one is left.
  expect([before, await rows()]).toEqual([4, 2]);
  expect(JSON.parse(await run(found.replace('ada', 'bob') + exporting))).toHaveLength(1);
});

/** The names of all fields of a line, and of what is in them: `error`, and `error.message`. */
function pathsOf(value: unknown, prefix = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [prefix + name, ...pathsOf(inner, `${prefix}${name}.`)]);
}

/** The names of the fields in queries of CloudWatch Logs Insights. */
function fieldsOf(query: string): string[] {
  const aliases = Array.from(query.matchAll(/ as (\w+)/g), ([, alias]) => alias);
  const words = query.replace(/"[^"]*"|\/[^/]*\//g, '').match(/@?[a-zA-Z.]+/g) ?? [];
  const LANGUAGE =
    /^(filter|fields|stats|sort|limit|by|as|and|or|not|like|in|ispresent|desc|asc|count|sum|avg|max|min|pct|bin|h|m|@.*)$/;
  return words.filter((word) => !LANGUAGE.test(word) && !aliases.includes(word));
}

describe('the queries of the guides', () => {
  it('name fields that the logs have', async () => {
    const lines = captureLog();
    const signIn = { TOKEN_ISSUER: provider.issuer, TOKEN_AUDIENCE: AUDIENCE, LOG_LEVEL: 'info' };
    const service = startDeployed(undefined, { ...environmentOf(table), ...signIn });
    const headers = { Authorization: `Bearer ${await provider.sign()}` };
    await service.call('POST', COLLECTION, { headers, body: EXAMPLE });
    await service.call('GET', COLLECTION, { headers: { Authorization: 'Bearer none' } });
    provider.instead = (_request, response) => response.writeHead(500).end();
    const failing = startDeployed(undefined, { ...environmentOf(table), ...signIn });
    await failing.call('GET', COLLECTION, { headers });
    provider.instead = undefined;
    jest.restoreAllMocks();
    const settings = committedTemplate('rest-signed').Resources.ApiStage?.Properties.AccessLogSetting;
    const known = new Set([...lines, JSON.parse(settings.Format)].flatMap((line) => pathsOf(line)));
    const guides = ['operate', 'incidents'].map(guide).join('\n');
    const queries = Array.from(
      guides.matchAll(/^(?:query=')?((?:filter|fields|stats) [^\n']*)/gm),
      ([, query = '']) => query,
    );
    expect(queries.length).toBeGreaterThan(4);
    const unknown = queries.flatMap(fieldsOf).filter((field) => !known.has(field));
    expect(unknown).toEqual([]);
    // What a field is compared with is what it has in some line.
    const compared = Array.from(queries.join('\n').matchAll(/\b(message|level) = ("[^"]*")/g));
    expect(compared.length).toBeGreaterThan(1);
    for (const [, field = '', value = ''] of compared)
      expect(lines).toContainEqual(expect.objectContaining({ [field]: JSON.parse(value) }));
  });
});
