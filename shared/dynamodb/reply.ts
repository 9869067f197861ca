import { NotSent, type Reply } from './send.js';

export interface Attempt {
  readonly kind: AttemptKind;
  readonly output: Output;
  readonly error?: unknown;
}

/**
 * The outcome of an attempt. `throttled` and `not sent` may soon be over; a `persistent fault`, such as missing rights or a
 * missing table, is not. `rejected` means that the request itself is wrong.
 */
export type AttemptKind =
  | 'succeeded'
  | 'condition failed'
  | 'throttled'
  | 'not sent'
  | 'unknown outcome'
  | 'persistent fault'
  | 'rejected';

// biome-ignore lint/suspicious/noExplicitAny: what it holds depends on the operation, and is read where that is called.
export type Output = Readonly<Record<string, any>>;

/** Waits for the reply to an attempt and interprets it. It never throws. A reply that makes no sense is an unknown outcome. */
export async function attemptOf(operation: string, sending: Promise<Reply>): Promise<Attempt> {
  try {
    const { status, text } = await sending;
    const output = parse(text);
    const kind = kindOf(operation, status, output);
    if (kind === 'succeeded') return { kind, output };
    return { kind, output: {}, error: new Error(`${status} ${text.slice(0, MAX_LOGGED_CHARACTERS)}`) };
  } catch (error) {
    return { kind: error instanceof NotSent ? 'not sent' : 'unknown outcome', output: {}, error };
  }
}

/** Enough for DynamoDB's own messages; a proxy's error page may be longer. */
const MAX_LOGGED_CHARACTERS = 1_000;

// biome-ignore lint/suspicious/noExplicitAny: JSON can be anything.
function parse(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: JSON can be anything.
function kindOf(operation: string, status: number, output: any): AttemptKind {
  if (!isObject(output)) return 'unknown outcome';
  if (status === 200) return isOutputOf(operation, output) ? 'succeeded' : 'unknown outcome';
  return status >= 400 && status < 500 ? kindOfError(output) : 'unknown outcome';
}

/** GetItem returns `{}` if there is no item, and so does PutItem. A query always has a list. */
function isOutputOf(operation: string, { Item, Items }: Output): boolean {
  if (operation === 'Query') return Array.isArray(Items);
  return Item === undefined || isObject(Item);
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function kindOfError({ __type }: Output): AttemptKind {
  switch (String(__type).replace(/^.*#/, '')) {
    case 'ConditionalCheckFailedException':
      return 'condition failed';
    case 'ProvisionedThroughputExceededException':
    case 'RequestLimitExceeded':
    case 'ThrottlingException':
      return 'throttled';
    case 'SerializationException':
    case 'ValidationException':
      return 'rejected';
    default:
      return 'persistent fault';
  }
}
