import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { findFaults } from '../../serverless/parameters.cjs';
import { parseYaml } from '../support/parse-yaml.js';

type Blocks = { parameters?: object | null; defaults?: object; others?: object };
type Call = Blocks & Partial<Parameters<typeof findFaults>[2]> & { stage?: string };

const { default: known } = parseYaml(readFileSync('serverless/stages.yml', 'utf8')) as { default: object };

const MEMORY = { region: 'eu-central-1', table: 'none', tokenIssuer: 'none' };
const TABLE = { ...MEMORY, table: 'items-live' };
const SIGN_IN = { ...TABLE, tokenIssuer: 'https://login.example.com', tokenAudience: 'todo' };
const CERTIFICATE = 'arn:aws:acm:eu-central-1:123456789012:certificate/1';
const DOMAIN = { domain: 'api.example.com', certificate: CERTIFICATE };
const ROLE = 'arn:aws:iam::123456789012:role/cloudformation-todo-item-service-test';
const BOUNDARY = 'arn:aws:iam::123456789012:policy/todo-item-service-test-boundary';
const AS_SUB = { 'Fn::Sub': BOUNDARY.replace('123456789012', `\${AWS::AccountId}`) };
const ABROAD = { ...TABLE, region: 'us-east-1' };
const OTHERS = { test: MEMORY };
const VARIABLE = { ...SIGN_IN, tokenAudience: `\${env:X}` };
const HIDDEN = { ...SIGN_IN, region: null, table: `items-\${sls:stage}` };

function faultsOf({ parameters = MEMORY, defaults, others, stage = 'live', ...options }: Call): string {
  const params = { default: { ...known, ...defaults }, ...others, [stage]: parameters };
  return findFaults({ service: 'todo-item-service', params }, stage, options).join('\n');
}

it.each<[name: string, call: Call]>([
  ['with a domain in the region of --region', { parameters: { ...ABROAD, ...DOMAIN }, region: 'eu-central-1' }],
  ['with the same lists in one table', { parameters: { ...SIGN_IN, listBy: 'sub' }, others: { test: SIGN_IN } }],
  ['with a scope of default', { parameters: SIGN_IN, defaults: { writeScope: 'w' }, others: { test: SIGN_IN } }],
  ['with another table', { parameters: TABLE, others: { test: { ...SIGN_IN, table: 'test' } } }],
  ['with a table in another region', { parameters: ABROAD, others: { test: SIGN_IN } }],
  ['in memory, beside variables', { others: { test: HIDDEN } }],
  ['with the longest name', { stage: 'a'.repeat(42) }],
])('finds no fault in a stage %s', (_, call) => {
  expect(faultsOf(call)).toBe('');
});

const faultsWith = (name: string, value: unknown) => {
  const more = ['certificate', 'hostedZone'].includes(name) ? DOMAIN : {};
  return faultsOf({ parameters: { ...SIGN_IN, ...more, [name]: value } });
};

it.each(Object.keys(known))('%s is refused if it is blank, off, a list or an object', (name) => {
  for (const value of ['', null, 'None', 'off', ['a'], [CERTIFICATE], { a: 1 }])
    expect([value, faultsWith(name, value)]).toEqual([value, expect.stringMatching(`^${name} (is|has) `)]);
});

/** What each parameter takes, and what it does not take. */
it.each<[name: string, valid: readonly unknown[], wrong: readonly unknown[]]>([
  ['region', ['us-gov-west-1'], ['none', 'eu-central', 'eu-central-1a']],
  ['table', ['none', 'a.b-c_D'], ['ab', 12345, true]],
  ['tokenIssuer', ['none', 'https://a/b'], ['http://localhost', 'a.example.com', 'https://a/.well-known/openid']],
  ['tokenAudience', ['123'], ['none', 123, true, `\${AWS::AccountId}`]],
  ['listBy', ['all', 'sub', 'org_id'], ['none', 'All', 'aud', 'iss']],
  ['writeScope', ['todo/write'], ['none', ' ']],
  ['corsOrigins', ['*', 'https://a, https://b'], ['none', ',']],
  ['alarmEmail', ['a+b@c.example'], ['none', 'a@b', 'a@b.example,c@d.example', 'A <a@b.example>']],
  ['domain', [], ['none', 'A.example', 'https://a.example', 'a.example/', '*.a.example', '-a.example', 'a']],
  ['certificate', ['arn:aws-us-gov:acm:eu-central-1:123456789012:certificate/a'], ['none', '1']],
  ['hostedZone', ['Z1'], ['none', '/hostedzone/Z1', 'a.example']],
  ['deploymentRole', [ROLE, 'arn:aws-cn:iam::123456789012:role/a/b'], ['none', BOUNDARY, `${ROLE}${'a'.repeat(64)}`]],
  ['permissionsBoundary', ['arn:aws:iam::aws:policy/a/b', AS_SUB, { 'Fn::ImportValue': 'a' }], ['none', ROLE]],
  ['reservedConcurrency', [0, '5', { Ref: 'AWS::NoValue' }], ['none', -1, 1.5, [1], { Ref: 'X' }]],
  ['frontDoor', ['rest', 'http'], ['none', 'url']],
  ['throttle', [1, '20'], ['none', 0, 1.5, -1, [1]]],
  ['deletionProtection', [true, 'false', { stages: ['live'] }], ['none', 'yes', ['live'], { stages: ['lvie'] }]],
])('%s takes %j, but none of %j', (name, valid, wrong) => {
  for (const value of valid) expect([value, faultsWith(name, value)]).toEqual([value, '']);
  for (const value of wrong) expect([value, faultsWith(name, value)]).toEqual([value, expect.stringMatching(name)]);
});

it.each<[name: string, call: Call, sentence: RegExp]>([
  ['no parameters', { parameters: null }, /^region is missing: .*\ntable is missing: .*\ntokenIssuer is missing: /],
  ['a misspelt one', { parameters: { ...MEMORY, throtle: 5 } }, /no parameter throtle/],
  ['an option that is none', { parameters: SIGN_IN, param: ['writeScope=none'] }, /^writeScope is "none": .*left out/],
  ['a blank default', { defaults: { alarmEmail: '' } }, /^alarmEmail has no value: .*left out/],
  ['one table for all stages', { defaults: { table: 'items' } }, /^table is set under default: /],
  ['a list', { parameters: { ...TABLE, alarmEmail: ['a@b.example'] } }, /^alarmEmail is the list \["a@b.example"\]: /],
  ['two lists in memory', { parameters: { ...MEMORY, reservedConcurrency: 2 } }, /^reservedConcurrency .* list: /],
  ['a domain alone', { parameters: { ...MEMORY, domain: 'api.example.com' } }, /^domain .* certificate/],
  ['a certificate elsewhere', { parameters: { ...MEMORY, ...DOMAIN }, region: 'us-east-1' }, /^domain .* us-east-1/],
  ['a zone alone', { parameters: { ...MEMORY, hostedZone: 'Z0123456789ABC' } }, /^hostedZone .* domain/],
  ["test's role", { parameters: { ...MEMORY, deploymentRole: ROLE }, others: OTHERS }, /^deploymentRole .* test: /],
  ["test's boundary", { parameters: { ...MEMORY, permissionsBoundary: AS_SUB }, others: OTHERS }, /^perm.* test: /],
  ['a long name', { stage: 'a'.repeat(43) }, /name has 43 .* 42/],
  [
    'an open stage',
    { parameters: TABLE, others: { test: SIGN_IN } },
    /^The stage test .* tokenIssuer is none here, and https:.*login/,
  ],
  [
    'other lists',
    { parameters: { ...SIGN_IN, listBy: 'all' }, others: { test: SIGN_IN } },
    / but listBy is all here, and sub there: /,
  ],
  [
    'fewer scopes',
    { parameters: SIGN_IN, others: { test: { ...SIGN_IN, writeScope: 'w' } } },
    / writeScope is left out here/,
  ],
  ['a hidden table', { parameters: TABLE, others: { test: HIDDEN } }, / items-\${sls:stage}, but tokenIssuer /],
  ['a hidden audience', { parameters: SIGN_IN, others: { test: VARIABLE } }, / but tokenAudience .* without variables/],
  [
    'the table of --region',
    { parameters: ABROAD, others: { test: SIGN_IN }, region: 'eu-central-1' },
    /^The stage test /,
  ],
])('refuses %s, and says why', (_, call, sentence) => {
  expect(faultsOf(call)).toMatch(sentence);
});
