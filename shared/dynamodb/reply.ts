import { NotSent, type Reply } from './send.js';

export interface Attempt {
  readonly kind: AttemptKind;
  readonly output: Output;
  readonly error?: unknown;
}

/** The first two end the call. */
export type AttemptKind = 'succeeded' | 'condition failed' | keyof typeof FAILURES;

/** After how many failures of a kind a call gives up, and whether such an attempt may be applied. */
export const FAILURES = {
  /** For example, by throttling. */
  'refused for now': { attempts: Number.POSITIVE_INFINITY, mayBeApplied: false },
  'not sent': { attempts: Number.POSITIVE_INFINITY, mayBeApplied: false },
  /** No reply came, or one that makes no sense. */
  'unknown outcome': { attempts: Number.POSITIVE_INFINITY, mayBeApplied: true },
  /** The clock was wrong, or the instance was frozen between signing and sending. The next attempt is signed anew. */
  'signature expired': { attempts: 3, mayBeApplied: false },
  'unknown error': { attempts: 1, mayBeApplied: true },
  /** For example, a right or the table is missing, or no header field can carry the credentials. */
  refused: { attempts: 1, mayBeApplied: false },
  'invalid request': { attempts: 1, mayBeApplied: false },
} as const;

// biome-ignore lint/suspicious/noExplicitAny: the members depend on the operation, and its caller reads them.
export type Output = Readonly<Record<string, any>>;

/** Never throws. */
export async function attemptOf(sending: Promise<Reply>): Promise<Attempt> {
  try {
    const { status, text } = await sending;
    const output = parse(text);
    const kind = kindOf(status, output);
    if (kind === 'succeeded') return { kind, output };
    // The log must not contain items.
    const shown = text.includes('"Item') ? 'with an item' : text.slice(0, 1_000);
    return { kind, output: {}, error: new Error(`${status} ${shown}`) };
  } catch (error) {
    return { kind: kindOfFailure(error), output: {}, error };
  }
}

function kindOfFailure(error: unknown): AttemptKind {
  if (error instanceof NotSent) return error.isLasting ? 'refused' : 'not sent';
  return 'unknown outcome';
}

// biome-ignore lint/suspicious/noExplicitAny: JSON can be anything.
function parse(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: JSON can be anything.
function kindOf(status: number, output: any): AttemptKind {
  if (!isObject(output)) return 'unknown outcome';
  if (status === 200) return isError(output) ? 'unknown outcome' : 'succeeded';
  // An attempt that timed out may have been applied, whatever the error's name.
  if (status < 400 || status > 499 || status === 408) return 'unknown outcome';
  return refusalOf(output) ?? (status === 429 ? 'unknown outcome' : 'unknown error');
}

/** A proxy or an emulator may send an error with status 200. */
function isError(output: Output): boolean {
  return '__type' in output || 'message' in output || 'Message' in output;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refusalOf({ __type, message, Message = message }: Output): Refusal | undefined {
  const name = String(__type).replace(/^.*#/, '');
  // Its other messages are about a wrong key, which a new attempt would not mend.
  const isLate = name === 'InvalidSignatureException' && /^Signature (expired|not yet current)/.test(Message);
  if (isLate) return 'signature expired';
  return (Object.keys(REFUSALS) as Refusal[]).find((kind) => REFUSALS[kind].includes(name));
}

type Refusal = Extract<
  AttemptKind,
  'condition failed' | 'refused for now' | 'signature expired' | 'refused' | 'invalid request'
>;

/**
 * The errors that DynamoDB gives before it writes anything. After any other error the outcome is unknown. Sources:
 * PutItem (Amazon DynamoDB API Reference), "Error handling with DynamoDB" (Developer Guide), "Common Error Types" of
 * AWS's APIs without `RequestAbortedException` and `RequestTimeoutException`, which may come after the write, and the
 * AWS protocol.
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
  'signature expired': ['RequestExpired'],
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
    'ResourceInUseException',
    'ResourceNotFoundException',
    'UnknownOperationException',
    'UnrecognizedClientException',
  ],
  'invalid request': ['SerializationException', 'ValidationError', 'ValidationException'],
};
