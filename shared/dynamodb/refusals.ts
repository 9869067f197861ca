import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';

/** Whether DynamoDB has certainly not written anything, because it said so or was not reached. */
export function isRefusal(error: unknown): boolean {
  if (error instanceof DynamoDBServiceException)
    return [PASSING, LASTING, INVALID].some((names) => names.has(error.name));
  // Node.js names the system call, and has an error for each address of the host. No header field can carry the
  // credentials. Of connecting, the SDK's time-out has its message alone.
  const { errors = [error] } = error as { readonly errors?: readonly unknown[] };
  return (errors as NodeJS.ErrnoException[]).every(
    ({ syscall = '', code, message }) =>
      /^(connect|getaddrinfo)$/.test(syscall) || code === 'ERR_INVALID_CHAR' || /establish a connection/.test(message),
  );
}

/** Whether it fails again and again until the operator mends something: a right, the table, the credentials. */
export function isLasting(error: unknown): boolean {
  const { name, code = '' } = error as NodeJS.ErrnoException;
  // The package has no modules that would find credentials elsewhere than in the environment.
  return LASTING.has(name) || name === 'CredentialsProviderError' || /^(ERR_INVALID_CHAR|MODULE_NOT_FOUND)$/.test(code);
}

/** Whether it is the fault of this service. */
export function isInvalid(error: unknown): boolean {
  return INVALID.has((error as Error).name);
}

// The errors that DynamoDB gives before it writes anything. After any other error the outcome is unknown. Sources:
// PutItem (Amazon DynamoDB API Reference), "Error handling with DynamoDB" (Developer Guide), "Common Error Types" of
// AWS's APIs without `RequestAbortedException` and `RequestTimeoutException`, which may come after the write, and the
// AWS protocol.

const PASSING = named(`ConditionalCheckFailedException ProvisionedThroughputExceededException
  ReplicatedWriteConflictException RequestExpired RequestLimitExceeded ThrottlingException
  TransactionConflictException`);

const LASTING = named(`AccessDeniedException ExpiredTokenException IncompleteSignature IncompleteSignatureException
  InvalidSignatureException ItemCollectionSizeLimitExceededException LimitExceededException MalformedHttpRequestException
  MissingAuthenticationTokenException NotAuthorized OptInRequired RequestEntityTooLargeException ResourceInUseException
  ResourceNotFoundException UnknownOperationException UnrecognizedClientException`);

const INVALID = named('SerializationException ValidationError ValidationException');

function named(names: string): ReadonlySet<string> {
  return new Set(names.split(/\s+/));
}
