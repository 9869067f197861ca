import { NotSent, type Reply } from './send.js';

export interface Attempt {
  readonly kind: AttemptKind;
  readonly output: Output;
  readonly error?: unknown;
}

/** The outcome of an attempt. The first two end its call. */
export type AttemptKind = 'succeeded' | 'condition failed' | keyof typeof FAILURES;

/** What the failures of an attempt mean: whether another attempt may succeed, and whether this one may have written something. */
export const FAILURES = {
  /** By throttling, for example. */
  'refused for now': { retry: true, mayBeApplied: false },
  'not sent': { retry: true, mayBeApplied: false },
  /** No reply came, or one that makes no sense. */
  'unknown outcome': { retry: true, mayBeApplied: true },
  /** An error that is not among the {@link REFUSALS}. */
  'unknown error': { retry: false, mayBeApplied: true },
  /** For missing rights or a missing table, for example. */
  refused: { retry: false, mayBeApplied: false },
  /** The request itself is wrong. */
  rejected: { retry: false, mayBeApplied: false },
} as const;

// biome-ignore lint/suspicious/noExplicitAny: its members depend on the operation, and is read where that is called.
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
  // A request that timed out may have been applied, whatever the error is called.
  if (status < 400 || status > 499 || status === 408) return 'unknown outcome';
  return refusalOf(output) ?? (status === 429 ? 'unknown outcome' : 'unknown error');
}

/** GetItem returns `{}` if there is no item, and so does PutItem. A query always has a list. */
function isOutputOf(operation: string, { Item, Items }: Output): boolean {
  if (operation === 'Query') return Array.isArray(Items);
  return Item === undefined || isObject(Item);
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refusalOf({ __type }: Output): Refusal | undefined {
  const name = String(__type).replace(/^.*#/, '');
  return (Object.keys(REFUSALS) as Refusal[]).find((kind) => REFUSALS[kind].includes(name));
}

type Refusal = Extract<AttemptKind, 'condition failed' | 'refused for now' | 'refused' | 'rejected'>;

/**
 * The errors that DynamoDB gives before it writes anything, by name: those of PutItem (Amazon DynamoDB API Reference), those of "Error
 * handling with DynamoDB" (Developer Guide), those of "Common Error Types" of AWS's APIs, and two of AWS's protocol that those pages leave
 * out: `InvalidSignatureException` and `SerializationException`. After any other error, the outcome is unknown. Two of the common ones are left
 * out because they may come after the write: `RequestAbortedException` and `RequestTimeoutException`.
 */
export const REFUSALS: Readonly<Record<Refusal, readonly string[]>> = {
  'condition failed': ['ConditionalCheckFailedException'],
  'refused for now': [
    'ProvisionedThroughputExceededException',
    'ReplicatedWriteConflictException',
    'RequestLimitExceeded',
    'ThrottlingException',
    'TransactionConflictException',
  ],
  refused: [
    'AccessDeniedException',
    'ExpiredTokenException',
    'IncompleteSignature',
    'IncompleteSignatureException',
    'InvalidSignatureException',
    'ItemCollectionSizeLimitExceededException',
    'LimitExceededException',
    'MalformedHttpRequestException',
    'MissingAuthenticationTokenException',
    'NotAuthorized',
    'OptInRequired',
    'RequestEntityTooLargeException',
    'RequestExpired',
    'ResourceInUseException',
    'ResourceNotFoundException',
    'UnknownOperationException',
    'UnrecognizedClientException',
  ],
  rejected: ['SerializationException', 'ValidationError', 'ValidationException'],
};
