import { PROBLEMS, type ProblemCode } from './problem-kinds.js';

/**
 * Thrown by whatever ends a request with a problem: a check, a store, an operation. The handler makes it the response. Any
 * other error becomes the problem `failed`.
 */
export class Problem extends Error {
  override readonly name = 'Problem';

  constructor(
    readonly code: ProblemCode,
    readonly options: ProblemOptions = {},
  ) {
    super(code, { cause: options.cause });
  }
}

interface ProblemOptions {
  /** What is wrong this time, as a sentence; by default, the meaning of the code. */
  readonly reason?: string;
  /** The members or parameters at fault. A pointer is a JSON Pointer in a URI fragment (RFC 6901, section 6): `#/name`. */
  readonly errors?: readonly { readonly pointer?: string; readonly parameter?: string; readonly detail: string }[];
  readonly headers?: Readonly<Record<string, string>>;
  /** For the log. */
  readonly cause?: unknown;
  /** Whether the problem stays until the operator mends something. Such a 503 is logged as an error, any other as a warning. */
  readonly isLasting?: boolean;
}

/**
 * Compares the name instead of the class, because the built files of the table and of the authenticator contain copies of
 * the class. Compares the members, too, because an error of a library may have that name.
 */
export function isProblem(error: unknown): error is Problem {
  if (!(error instanceof Error) || error.name !== 'Problem') return false;
  const { code, options } = error as Partial<Problem>;
  return code !== undefined && Object.hasOwn(PROBLEMS, code) && options !== undefined;
}
