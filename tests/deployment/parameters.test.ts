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

const file = (name: string) => parseYaml(readFileSync(name, 'utf8')) as Record<string, object>;
const { provider } = file('serverless.yml');
const { default: known } = file('serverless/stages.yml');

const MEMORY = { region: 'eu-central-1', table: 'none', tokenIssuer: 'none' };
const TABLE = { ...MEMORY, table: 'items-live' };
const SIGN_IN = { ...TABLE, tokenIssuer: 'https://login.example.com', tokenAudience: 'todo' };
const DOMAIN = { domain: 'api.example.com', certificate: 'arn:aws:acm:eu-central-1:123456789012:certificate/1' };

function faultsOf({ parameters = MEMORY, defaults, others, ...line }: Call): string {
  const input = { stage: 'live', isServed: false, env: {}, ...line };
  const params = { default: { ...known, ...defaults }, ...others, [input.stage]: parameters };
  return findFaults({ params, provider }, input, readConfiguration).join('\n');
}

it.each<[name: string, call: Call]>([
  ['with a domain and its zone', { parameters: { ...MEMORY, ...DOMAIN, hostedZone: 'Z0123456789ABC' } }],
  ['with the table of a stage with the same provider', { parameters: SIGN_IN, others: { test: SIGN_IN } }],
  ['with another table than another provider', { parameters: TABLE, others: { test: { ...SIGN_IN, table: 'test' } } }],
  ['started with a table of the shell', { stage: 'dev', isServed: true, parameters: TABLE, env: { TABLE_NAME: 'a' } }],
  ['started with an empty variable of the shell', { isServed: true, parameters: { ...MEMORY, table: '' } }],
])('finds no fault in a stage %s', (_, call) => {
  expect(faultsOf(call)).toBe('');
});

const LIST = /^reservedConcurrency .* list/m;
const SHARED = /^table is also that of test, .*tokenIssuer and listBy/m;

it.each<[name: string, call: Call, sentence: RegExp]>([
  ['nothing', { parameters: null }, /^region must be given\ntable must.*\ntokenIssuer must/],
  ['null for one', { parameters: { ...TABLE, tokenIssuer: null } }, /^tokenIssuer must be given/m],
  ['nothing in one', { parameters: { ...TABLE, table: '' } }, /^table must be given/m],
  ['a misspelt one', { parameters: { ...MEMORY, throtle: 5 } }, /^throtle is unknown/m],
  ['a misspelt option', { param: ['throtle=5'] }, /^throtle is unknown/m],
  ['one table for all stages', { defaults: { table: 'items' } }, /^table is under default/m],
  ['open stages by default', { defaults: { tokenIssuer: 'none' } }, /^tokenIssuer is under default/m],
  ['one domain for all stages', { defaults: DOMAIN }, /^domain is under default/m],
  ['two lists in memory', { parameters: { ...MEMORY, reservedConcurrency: 2 } }, LIST],
  ['two lists everywhere', { defaults: { reservedConcurrency: 2 } }, LIST],
  ['an unknown front door', { parameters: { ...MEMORY, frontDoor: 'url' } }, /^frontDoor is "url"/m],
  ['a domain alone', { parameters: { ...MEMORY, domain: 'api.example.com' } }, /^domain .* certificate/m],
  ['a zone alone', { parameters: { ...MEMORY, hostedZone: 'Z0123456789ABC' } }, /^hostedZone .* domain/m],
  ['an open stage before the table of a closed one', { parameters: TABLE, others: { test: SIGN_IN } }, SHARED],
  ['two lists in one table', { parameters: { ...SIGN_IN, listBy: 'all' }, others: { test: SIGN_IN } }, SHARED],
  ['an issuer alone', { parameters: { ...SIGN_IN, tokenAudience: 'none' } }, /^tokenIssuer .* tokenAudience/m],
  ['an issuer of another type', { parameters: { ...SIGN_IN, tokenIssuer: false } }, /^tokenIssuer .* is "false"/m],
  ['a table of the shell', { stage: 'dev', env: { TABLE_NAME: 'items-live' } }, /^table is TABLE_NAME of this shell/m],
])('refuses %s', (_, call, sentence) => {
  expect(faultsOf(call)).toMatch(sentence);
});
