import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { readConfiguration } from '../../functions/configuration.js';
import findFaults from '../../serverless/parameters.cjs';
import { parseYaml } from '../support/parse-yaml.js';

type Call = Partial<Parameters<typeof findFaults>[1]> & {
  parameters?: object | null;
  defaults?: object;
  others?: object;
};

const file = (name: string) => parseYaml(readFileSync(name, 'utf8')) as Record<string, Record<string, string>>;
const { default: known, dev } = file('serverless/stages.yml');
const variables = Object.entries(file('serverless.yml').provider?.environment ?? {});

const MEMORY = { region: 'eu-central-1', table: 'none', tokenIssuer: 'none' };
const TABLE = { ...MEMORY, table: 'items-live' };
const SIGN_IN = { ...TABLE, tokenIssuer: 'https://login.example.com', tokenAudience: 'todo' };
const CERTIFICATE = 'arn:aws:acm:eu-central-1:123456789012:certificate/1';
const DOMAIN = { domain: 'api.example.com', certificate: CERTIFICATE };
const ROLE = 'arn:aws:iam::123456789012:role/cloudformation-todo-item-service';
const BOUNDARY = 'arn:aws:iam::123456789012:policy/todo-item-service';
const NO_VALUE = { Ref: 'AWS::NoValue' };
const ABROAD = { ...TABLE, region: 'us-east-1' };
const VARIABLE = `\${env:X}`;
const HIDDEN = { ...SIGN_IN, table: `items-\${sls:stage}` };
const DEV = { ...MEMORY, table: `\${env:TABLE_NAME, 'none'}`, tokenIssuer: `\${env:TOKEN_ISSUER, 'none'}` };

function faultsOf({ parameters = MEMORY, defaults, others, ...line }: Call): string {
  const input = { stage: 'live', isServed: false, env: {}, ...line };
  const params = { default: { ...known, ...defaults }, ...others, [input.stage]: parameters };
  return findFaults({ service: 'todo-item-service', params }, input, readConfiguration).join('\n');
}

it.each<[name: string, call: Call]>([
  ['with a domain and its zone', { parameters: { ...MEMORY, ...DOMAIN, hostedZone: 'Z0123456789ABC' } }],
  ['with a domain in the region of --region', { parameters: { ...ABROAD, ...DOMAIN }, region: 'eu-central-1' }],
  ['with a domain in other letters', { parameters: { ...MEMORY, ...DOMAIN, domain: 'a.xn--p1ai' } }],
  ['with the table of a stage with the same provider', { parameters: SIGN_IN, others: { test: SIGN_IN } }],
  ['with the same lists, said', { parameters: { ...SIGN_IN, listBy: 'sub' }, others: { test: SIGN_IN } }],
  ['with another table than another provider', { parameters: TABLE, others: { test: { ...SIGN_IN, table: 'test' } } }],
  ['with a table in another region', { parameters: ABROAD, others: { test: SIGN_IN } }],
  ['with a table, beside dev', { parameters: SIGN_IN, others: { dev: DEV } }],
  ['in memory, beside variables', { others: { test: HIDDEN } }],
  [
    'with a role and a boundary',
    { parameters: { ...TABLE, deploymentRole: `${ROLE}-live`, permissionsBoundary: BOUNDARY } },
  ],
  ['with the longest name', { stage: 'a'.repeat(42) }],
  ['whose protection is by stage', { parameters: { ...MEMORY, deletionProtection: { stages: ['live'] } } }],
  ['started with a table of the shell', { stage: 'dev', isServed: true, parameters: TABLE, env: { TABLE_NAME: 'a' } }],
  ['started with an empty variable', { stage: 'dev', isServed: true, parameters: { ...MEMORY, table: '' } }],
  ['dev with an empty variable', { stage: 'dev', parameters: { ...MEMORY, writeScope: '' } }],
  [
    'started with a provider here',
    { isServed: true, parameters: { ...SIGN_IN, tokenIssuer: 'http://localhost:8080' } },
  ],
])('finds no fault in a stage %s', (_, call) => {
  expect(faultsOf(call)).toBe('');
});

/** What each parameter takes, and what it does not take. */
it.each<[name: string, valid: readonly unknown[], wrong: readonly unknown[]]>([
  ['region', ['us-gov-west-1'], ['', 'none', 'eu-central', 'eu-central-1a']],
  ['table', ['none', 'a.b-c_D'], ['', null, 'None', 'off', 'ab', 12345, true, ['items']]],
  ['tokenIssuer', ['https://a/b'], ['', null, 'None', false, 'http://localhost', 'a.example.com', ['https://a']]],
  ['tokenIssuer', [], ['https://a/.well-known/openid-configuration']],
  ['tokenAudience', ['123'], ['', null, 'none', 123, true, ['a'], 'a b']],
  ['listBy', ['all', 'sub', 'org_id'], ['', null, 'none', 'All', 'aud', 'iss', ['a']]],
  ['writeScope', ['todo/write'], ['', null, 'none', 'Off', ['a'], 'a b', VARIABLE]],
  ['corsOrigins', ['*', 'https://a, https://b'], ['', null, 'none', ',', ['https://a'], 'https://a/']],
  [
    'alarmEmail',
    ['a+b@c.example'],
    ['', null, 'none', 'a', 'a@b', 'a@b.example,c@d.example', 'A <a@b.example>', ['a@b.example']],
  ],
  ['domain', [], ['', null, 'none', 'A.example', 'https://a.example', 'a.example/', '*.a.example', 'a', ['a.example']]],
  ['certificate', ['arn:aws-us-gov:acm:eu-central-1:123456789012:certificate/a'], ['', null, 'none', '1', ['a']]],
  ['certificate', [], ['arn:aws:acm:us-east-1:123456789012:certificate/a']],
  ['hostedZone', ['Z1'], ['', null, 'none', '/hostedzone/Z1', 'a.example', ['Z1']]],
  [
    'deploymentRole',
    [ROLE, 'arn:aws-cn:iam::123456789012:role/a/b'],
    ['', null, 'none', 'a', [ROLE], BOUNDARY, `${ROLE}-${'a'.repeat(64)}`],
  ],
  ['permissionsBoundary', ['arn:aws:iam::aws:policy/a/b'], ['', null, 'none', 'a', ROLE, [BOUNDARY]]],
  ['reservedConcurrency', [0, '5', NO_VALUE], ['', null, 'none', -1, 1.5, [1], { Ref: 'X' }]],
  ['frontDoor', ['rest', 'http'], ['', null, 'none', 'url', ['rest']]],
  ['throttle', [1, '20'], ['', null, 'none', 0, 1.5, -1, [1]]],
  [
    'deletionProtection',
    [true, 'false', { stages: ['live'] }],
    ['', null, 'none', 'yes', ['live'], { stages: ['lvie'] }],
  ],
])('%s takes %j, and is named if it is one of %j', (name, valid, wrong) => {
  const more = ['certificate', 'hostedZone'].includes(name) ? DOMAIN : { listBy: 'all' };
  const faults = (value: unknown) => faultsOf({ parameters: { ...SIGN_IN, ...more, [name]: value } });
  for (const value of valid) expect([value, faults(value)]).toEqual([value, '']);
  for (const value of wrong) expect([value, faults(value)]).toEqual([value, expect.stringMatching(name)]);
});

const LIST = /^reservedConcurrency .* list/m;

it.each<[name: string, call: Call, sentence: RegExp]>([
  ['nothing', { parameters: null }, /^region must be given: .*\ntable must.*\ntokenIssuer must/],
  ['a misspelt one', { parameters: { ...MEMORY, throtle: 5 } }, /^throtle is unknown/m],
  ['a misspelt option', { param: ['throtle=5'] }, /^throtle is unknown/m],
  ['an option that is none', { parameters: SIGN_IN, param: ['writeScope=none'] }, /^writeScope is "none".*left out/m],
  ['none by default', { parameters: SIGN_IN, defaults: { writeScope: 'none' } }, /^writeScope is "none".*left out/m],
  ['a blank default', { parameters: SIGN_IN, defaults: { alarmEmail: '' } }, /^alarmEmail has no value/m],
  ['one table for all stages', { defaults: { table: 'items' } }, /^table is under default/m],
  ['open stages by default', { defaults: { tokenIssuer: 'none' } }, /^tokenIssuer is under default/m],
  ['one domain for all stages', { defaults: DOMAIN }, /^domain is under default/m],
  ['a list', { parameters: { ...TABLE, alarmEmail: ['a@b.example'] } }, /^alarmEmail is the list \["a@b.example"\]/m],
  ['two lists in memory', { parameters: { ...MEMORY, reservedConcurrency: 2 } }, LIST],
  ['two lists everywhere', { defaults: { reservedConcurrency: 2 } }, LIST],
  [
    'a stop by throttle',
    { parameters: { ...MEMORY, throttle: 0 } },
    /^throttle is the number 0.*reservedConcurrency: 0/m,
  ],
  ['a domain alone', { parameters: { ...MEMORY, domain: 'api.example.com' } }, /^domain .* certificate/m],
  ['a domain elsewhere', { parameters: { ...MEMORY, ...DOMAIN }, region: 'us-east-1' }, /^domain .* us-east-1/m],
  ['a zone alone', { parameters: { ...MEMORY, hostedZone: 'Z0123456789ABC' } }, /^hostedZone .* domain/m],
  [
    'a role of another stage',
    { parameters: { ...MEMORY, deploymentRole: `${ROLE}-test` }, others: { test: MEMORY } },
    /^deploymentRole .* test/,
  ],
  [
    'a boundary of another stage',
    { parameters: { ...MEMORY, permissionsBoundary: `${BOUNDARY}-test-boundary` }, others: { test: MEMORY } },
    /^permissionsBoundary .* test/,
  ],
  ['a long name', { stage: 'a'.repeat(43) }, /name is too long/],
  [
    'an open stage before the table of a closed one',
    { parameters: TABLE, others: { test: SIGN_IN } },
    /^tokenIssuer is none, .*in test, whose table/m,
  ],
  [
    'another audience',
    { parameters: SIGN_IN, others: { test: { ...SIGN_IN, tokenAudience: 'a' } } },
    /^tokenAudience is todo, and a in test/m,
  ],
  [
    'fewer scopes',
    { parameters: SIGN_IN, others: { test: { ...SIGN_IN, writeScope: 'w' } } },
    /^writeScope is nothing, and w in/m,
  ],
  [
    'two lists in one table',
    { parameters: { ...SIGN_IN, listBy: 'all' }, others: { test: SIGN_IN } },
    /^listBy is all, and sub in/m,
  ],
  ['a hidden table', { parameters: TABLE, others: { test: HIDDEN } }, /^tokenIssuer .* without variables/m],
  [
    'a hidden issuer',
    { parameters: SIGN_IN, others: { test: { ...SIGN_IN, tokenIssuer: VARIABLE } } },
    /^tokenIssuer .* without variables/m,
  ],
  [
    'the table of --region',
    { parameters: ABROAD, others: { test: SIGN_IN }, region: 'eu-central-1' },
    /^tokenIssuer .*in test/m,
  ],
  ['an issuer alone', { parameters: { ...TABLE, tokenIssuer: 'https://a' } }, /^tokenIssuer .* tokenAudience/m],
])('refuses %s', (_, call, sentence) => {
  expect(faultsOf(call)).toMatch(sentence);
});

it.each(variables)('takes %s from the shell for dev alone, and does not deploy it', (variable, text) => {
  const [, name = ''] = /param:(\w+)/.exec(text) ?? [];
  expect(dev?.[name]).toMatch(`\${env:${variable}, `);
  const sentence = `${name} is ${variable} of this shell: unset it, or name another --stage`;
  expect(faultsOf({ stage: 'dev', env: { [variable]: 'x' } })).toBe(sentence);
  expect(faultsOf({ env: { [variable]: 'x' } })).toBe('');
});
