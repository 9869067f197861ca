/** Whether another attempt may help, and whether this one may be applied. */
export const FAILURES = {
  'condition failed': { mayPass: false, mayBeApplied: false },
  /** For example, by throttling, or no connection could be made. */
  'refused for now': { mayPass: true, mayBeApplied: false },
  /** For example, a right, the table or the credentials are missing. */
  refused: { mayPass: false, mayBeApplied: false },
  'invalid request': { mayPass: false, mayBeApplied: false },
  /** No reply came, or one that makes no sense. */
  'unknown outcome': { mayPass: true, mayBeApplied: true },
  'unknown error': { mayPass: false, mayBeApplied: true },
};

export type Failure = keyof typeof FAILURES;

export interface Attempt {
  readonly output?: Received;
  readonly failure?: Failure;
  readonly error?: unknown;
}

// biome-ignore lint/suspicious/noExplicitAny: it depends on the operation, or can be anything.
export type Received = any;

/** The SDK itself would take a proxy's `code` for the name of an error, and an error with status 200 for success. */
export function readReply(status: number, text: string): Attempt {
  let output: Received;
  try {
    output = JSON.parse(text);
  } catch {
    // It is from something in between.
  }
  const failure = failureIn(status, output);
  if (!failure) return { output };
  // Nothing else, because the log must not contain items.
  const { __type, message, Message = message } = output ?? {};
  return { failure, error: new Error(typeof __type === 'string' ? `${status} ${__type}: ${Message}` : String(status)) };
}

/** @param error - Why there is no reply. */
export function failureOf(error: unknown): Failure {
  // No header field can carry the credentials.
  if ((error as NodeJS.ErrnoException).code === 'ERR_INVALID_CHAR') return 'refused';
  return isOfConnecting(error) ? 'refused for now' : 'unknown outcome';
}

function failureIn(status: number, output: Received): Failure | undefined {
  if (typeof output !== 'object' || output === null || Array.isArray(output)) return 'unknown outcome';
  // A proxy or an emulator may send an error with status 200.
  const isError = '__type' in output || 'message' in output || 'Message' in output;
  if (status === 200) return isError ? 'unknown outcome' : undefined;
  // An attempt that timed out may have been applied, whatever the error's name.
  if (status < 400 || status > 499 || status === 408) return 'unknown outcome';
  return refusalIn(output) ?? (status === 429 ? 'unknown outcome' : 'unknown error');
}

/** Node.js names the system call, and has an error for each address of the host. */
function isOfConnecting(error: unknown): boolean {
  const { errors = [error] } = error as { readonly errors?: readonly Received[] };
  return errors.every(
    // Of the SDK's time-outs, only that of connecting has no code.
    ({ syscall, name, code }) => /^(connect|getaddrinfo)$/.test(syscall) || (name === 'TimeoutError' && !code),
  );
}

function refusalIn({ __type, message, Message = message }: Received): Failure | undefined {
  if (typeof __type !== 'string') return undefined;
  const name = __type.replace(/^.*#/, '');
  // The SDK corrects the clock. Other messages are about a wrong key, which another attempt would not mend.
  const isLate = name === 'InvalidSignatureException' && /^Signature (expired|not yet current)/.test(Message);
  return isLate ? 'refused for now' : REFUSALS.get(name);
}

/**
 * The errors that DynamoDB gives before it writes anything. After any other error the outcome is unknown. Sources:
 * PutItem (Amazon DynamoDB API Reference), "Error handling with DynamoDB" (Developer Guide), "Common Error Types" of
 * AWS's APIs without `RequestAbortedException` and `RequestTimeoutException`, which may come after the write, and the
 * AWS protocol.
 */
export const REFUSALS: ReadonlyMap<string, Failure> = new Map<string, Failure>([
  ['ConditionalCheckFailedException', 'condition failed'],
  ['ProvisionedThroughputExceededException', 'refused for now'],
  ['ReplicatedWriteConflictException', 'refused for now'],
  ['RequestExpired', 'refused for now'],
  ['RequestLimitExceeded', 'refused for now'],
  ['ThrottlingException', 'refused for now'],
  ['TransactionConflictException', 'refused for now'],
  ['AccessDeniedException', 'refused'],
  ['ExpiredTokenException', 'refused'],
  ['IncompleteSignature', 'refused'],
  ['IncompleteSignatureException', 'refused'],
  ['InvalidSignatureException', 'refused'],
  ['ItemCollectionSizeLimitExceededException', 'refused'],
  ['LimitExceededException', 'refused'],
  ['MalformedHttpRequestException', 'refused'],
  ['MissingAuthenticationTokenException', 'refused'],
  ['NotAuthorized', 'refused'],
  ['OptInRequired', 'refused'],
  ['RequestEntityTooLargeException', 'refused'],
  ['ResourceInUseException', 'refused'],
  ['ResourceNotFoundException', 'refused'],
  ['UnknownOperationException', 'refused'],
  ['UnrecognizedClientException', 'refused'],
  ['SerializationException', 'invalid request'],
  ['ValidationError', 'invalid request'],
  ['ValidationException', 'invalid request'],
]);
