import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';

/** `passing` ends by itself. `lasting` needs the operator (permissions, table, credentials), `invalid` another release. */
export type Refusal = keyof typeof REFUSALS;

/** @returns Why an attempt has certainly not written anything; undefined if it may have. */
export function refusalIn(error: unknown): Refusal | undefined {
  if (error instanceof DynamoDBServiceException)
    return (Object.keys(REFUSALS) as Refusal[]).find((kind) => REFUSALS[kind].split(/\s+/).includes(error.name));
  const { name, code = '', errors = [error] } = error as NodeJS.ErrnoException & { readonly errors?: unknown[] };
  // Nothing was sent: there are no credentials, or some that no header field can contain.
  if (/^(CredentialsProviderError|MODULE_NOT_FOUND|ERR_INVALID_CHAR)$/.test(code || name)) return 'lasting';
  // An `AggregateError` has an error for each address of the host.
  return errors.every(isWithoutConnection) ? 'passing' : undefined;
}

/** Node.js names the system call. The SDK's own time-out of connecting has no sign but its message. */
function isWithoutConnection(error: unknown): boolean {
  const { syscall = '', message } = error as NodeJS.ErrnoException;
  return /^(connect|getaddrinfo)$/.test(syscall) || /establish a connection/.test(message);
}

/**
 * The errors that DynamoDB gives before it writes anything. Sources: PutItem (Amazon DynamoDB API Reference), "Error
 * handling with DynamoDB" (Developer Guide), and "Common Error Types" of AWS's APIs. Errors that may come after the
 * write, such as `RequestTimeoutException`, are left out.
 */
const REFUSALS = {
  passing: `ConditionalCheckFailedException ProvisionedThroughputExceededException ReplicatedWriteConflictException
    RequestExpired RequestLimitExceeded ThrottlingException TransactionConflictException`,
  lasting: `AccessDeniedException ExpiredTokenException IncompleteSignatureException InvalidSignatureException
    MissingAuthenticationTokenException NotAuthorized OptInRequired ResourceNotFoundException
    UnrecognizedClientException`,
  invalid: 'SerializationException ValidationException',
};
