// Stages to try, and stages with a fault: a proxy in front of a sound service breaks one thing.
import { readFileSync } from 'node:fs';
import { afterAll } from '@jest/globals';
import { runSmoke } from '../../serverless/smoke/run.js';
import { environmentOf, startTables } from '../support/dynamodb/tables.js';
import { restUnder } from '../support/gateways/gateways.js';
import { AUDIENCE, type Provider, startProvider } from '../support/openid/provider.js';
import { type Answer, expectStatus } from '../support/service/answer.js';
import { startDeployed } from '../support/service/deployed.js';
import { COLLECTION, EXAMPLE } from '../support/service/documented.js';
import { serve } from '../support/service/serve.js';
import type { Service } from '../support/service/service.js';

export type Call = Service['call'];
/** Breaks one thing of a service. */
export type Fault = (call: Call) => Call;
/** What a run of the command printed. */
export interface Transcript {
  readonly code: number;
  readonly lines: readonly string[];
}

export const LIVE = restUnder('/live');
/** The first member of the example that is a text: the command gives it one of its own. */
export const TEXT = Object.keys(EXAMPLE).find((name) => typeof EXAMPLE[name] === 'string') as string;

const stops: (() => unknown)[] = [];
let tables: ReturnType<typeof startTables> | undefined;
let provider: Promise<Provider> | undefined;

afterAll(async () => {
  for (const stop of stops) stop();
  await (await provider)?.stop();
  await (await tables)?.stop();
});

/** Has something stopped after the tests of the file. */
export function stopLater(stop: () => unknown): void {
  stops.push(stop);
}

/** Serves a service until the tests of the file are over. */
export async function serving(service: Service): Promise<string> {
  const { url, stop } = await serve(service);
  stopLater(stop);
  return url;
}

/** Serves a service, and runs the command with its URL, some options, and a token. */
export async function smoke(service: Service, options: readonly string[] = [], token = ''): Promise<Transcript> {
  return smokeAt(`${await serving(service)}/swagger/ui`, options, token);
}

/** The same until a check fails: then the command is interrupted, because the others take most of the time. */
export async function smokeUntilFailure(service: Service, options: readonly string[], token: string) {
  const failure = new AbortController();
  const url = await serving(service);
  return smokeAt(url, options, token, failure.signal, undefined, (line) => {
    if (line.startsWith('FAILED')) failure.abort();
  });
}

/** Runs the command with a URL, some options, and a token. Keys, texts and times are replaced, because they differ from run to run. */
export async function smokeAt(
  url: string,
  options: readonly string[] = [],
  SMOKE_TOKEN = '',
  interrupted = new AbortController().signal,
  cleaningUp?: number,
  see: (line: string) => void = () => {},
): Promise<Transcript> {
  const lines: string[] = [];
  const print = (line: string) => {
    lines.push(line);
    see(line);
  };
  const code = await runSmoke([url, '--wait=0', ...options], { SMOKE_TOKEN }, print, interrupted, cleaningUp);
  return { code, lines: lines.map(withoutRandom) };
}

function withoutRandom(line: string): string {
  return line
    .replace(/[\da-f]{8}-[\da-f-]{27}/g, 'KEY')
    .replace(/Smoke test [\da-f]{16}/g, 'Smoke test RANDOM')
    .replace(/\d+ ms/g, 'N ms');
}

/** A table of its own, as the environment of a service. */
export async function aTable(): Promise<Readonly<Record<string, string>>> {
  tables ??= startTables();
  return environmentOf(await (await tables).create());
}

/** A provider for the tests of the file. */
export function theProvider(): Promise<Provider> {
  provider ??= startProvider();
  return provider;
}

/** A token of a person who may sign in. */
export async function aToken(): Promise<string> {
  return (await theProvider()).sign();
}

/** A sound stage, with an item in its list. */
export async function aStage(environment: Readonly<Record<string, string>> = {}): Promise<Service> {
  const service = startDeployed(LIVE, environment);
  await expectStatus(201, service.call('POST', COLLECTION, { body: EXAMPLE }));
  return service;
}

/** A stage where people sign in, with an item in the list that all of them share, unless the environment says otherwise. */
export async function withPeople(environment: Readonly<Record<string, string>> = {}): Promise<Service> {
  const { issuer } = await theProvider();
  const settings = { TOKEN_ISSUER: issuer, TOKEN_AUDIENCE: AUDIENCE, LIST_BY: 'all', ...environment };
  const service = startDeployed(LIVE, settings);
  const headers = { Authorization: `Bearer ${await aToken()}` };
  // Where the environment differs, the token may not be enough.
  await service.call('POST', COLLECTION, { body: EXAMPLE, headers });
  return service;
}

/** A stage behind a gateway that refuses what is not signed: it compares paths letter by letter. */
export function signedStage(): Service {
  const refusal = { status: 403, headers: {}, content: Buffer.from('{"message":"Missing Authentication Token"}') };
  return broken(startDeployed(LIVE), (call) => async (method, path, sent) => {
    const isClosed = path !== '/' && !isOpen(path) && method !== 'OPTIONS';
    return !isClosed ? call(method, path, sent) : (refusal as Answer);
  });
}

/** A service with a fault. */
export function broken(service: Service, fault: Fault): Service {
  return { ...service, call: fault(service.call) };
}

/** Changes answers on their way. */
export function answers(change: (answer: Answer, method: string, path: string) => Partial<Answer>): Fault {
  return (call) => async (method, path, sent) => {
    const answer = await call(method, path, sent);
    return { ...answer, ...change(answer, method, path) };
  };
}

/** Content of an answer. */
export const json = (value: unknown): Partial<Answer> => ({ content: Buffer.from(JSON.stringify(value)) });

/** Other header fields of an answer; an undefined one is left out. */
export function fields({ headers }: Answer, changes: Readonly<Record<string, string | undefined>>): Partial<Answer> {
  const changed = Object.entries({ ...headers, ...changes }).filter(([, value]) => value !== undefined);
  return { headers: Object.fromEntries(changed) as Record<string, string> };
}

export const isItem = (path: string) => path.startsWith(`${COLLECTION}/`);
export const isList = (path: string) => path === COLLECTION || path.startsWith(`${COLLECTION}?`);
export const isOpen = (path: string) => path.startsWith('/swagger/');

/** The document that the build has made. */
export const builtDocument = () => JSON.parse(JSON.parse(readFileSync('dist/openapi.json', 'utf8')).body);
