import { randomBytes, randomUUID } from 'node:crypto';
import { expectThat } from './said.js';
import type { ServedDocument } from './served-document.js';

/** No schema takes it, so nothing is created or changed even if a write is let in. */
export const NO_JSON = '{';

/**
 * Calls each operation as nobody and with forged tokens, or without a signature. If callers need neither, calls the
 * list.
 *
 * @throws Fault if somebody is let in who should not be, or the other way round.
 */
export async function expectAccess(document: ServedDocument): Promise<void> {
  const { client } = document;
  const { people, signed, token } = client.expected;
  const { list } = document;
  // First, because a cache may give the answer to the next caller.
  if (token || !(people || signed)) await document.ask('GET', list, '200');
  if (people) await expectTokens(document);
  if (!signed) return;
  for (const [method, path] of [...callsOf(document), ['GET', `/${list}`] as const]) {
    const { status, told } = await client.call(method, path, { body: bodyOf(method) });
    expectThat(status === 403, `${told} instead of 403.`);
  }
  await document.ask('GET', `/swagger${list}`, '404');
}

async function expectTokens(document: ServedDocument): Promise<void> {
  const { client } = document;
  for (const [method, path] of callsOf(document)) {
    const expected = method === 'HEAD' ? '401' : '401 no-token';
    const refused = await document.ask(method, path, expected, { anonymous: true, body: bodyOf(method) });
    // REST APIs and function URLs rename the field.
    const { headers, told } = refused;
    const challenge = headers.get('www-authenticate') ?? headers.get('x-amzn-remapped-www-authenticate');
    expectThat(challenge?.startsWith('Bearer ') === true, `${told} without a challenge.`);
  }
  for (const forged of forgedTokens(client.expected.token)) {
    const headers = { Authorization: `Bearer ${forged}` };
    for (const [method, path] of operationsOf(document))
      await document.ask(method, path, '401 invalid-token', { headers, body: bodyOf(method) });
  }
}

type Calls = readonly (readonly [method: string, path: string])[];

/** Each operation, on an item that does not exist. */
function operationsOf(document: ServedDocument): Calls {
  const paths = { list: document.list, item: `${document.list}/${randomUUID()}` };
  return (['list', 'item'] as const).flatMap((place) =>
    document.methodsOf(place).map((method) => [method, paths[place]] as const),
  );
}

/** Also other spellings of the paths, because each must be closed. */
function callsOf(document: ServedDocument): Calls {
  const { list } = document;
  const spellings = [`${list}/`, list.toUpperCase(), escaped(list), `${list}?limit=1`];
  const spelled = spellings.flatMap((path) => document.methodsOf('list').map((method) => [method, path] as const));
  return [...operationsOf(document), ...spelled, ['HEAD', list]];
}

/** Encodes the first letter. */
export function escaped(path: string): string {
  return path.replace(/\w/, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
}

const bodyOf = (method: string) => (['POST', 'PUT', 'PATCH'].includes(method) ? NO_JSON : undefined);

/**
 * Tokens that anybody can make of a sound one: expired and not, with its signature, another one and none. Without a
 * sound one, its parts are made up.
 */
function forgedTokens(token: string | undefined): readonly string[] {
  const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const now = Math.floor(Date.now() / 1_000);
  const madeUp = [encoded({ alg: 'ES256', kid: randomUUID() }), encoded({ sub: 'smoke' }), another()];
  const [header, claims, signature] = token?.split('.') ?? madeUp;
  const expiring = (exp: number) => encoded({ ...decoded(String(claims)), exp });
  return [
    [header, expiring(now + 600), another()],
    [header, expiring(now + 600), signature],
    [header, expiring(now - 600), another()],
    [encoded({ alg: 'none' }), expiring(now + 600), ''],
  ].map((parts) => parts.join('.'));
}

const another = () => randomBytes(64).toString('base64url');

/** Empty if the token is of another kind. */
function decoded(claims: string): object {
  try {
    return JSON.parse(Buffer.from(claims, 'base64url').toString());
  } catch {
    return {};
  }
}
