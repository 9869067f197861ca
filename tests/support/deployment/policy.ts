/** A policy of IAM that only allows. */
export interface Policy {
  readonly Statement: readonly {
    readonly Sid: string;
    readonly Action: readonly string[];
    readonly Resource: readonly string[];
    readonly Condition?: { readonly StringEquals: Readonly<Record<string, string>> };
  }[];
}

/**
 * Decides as IAM does whether a policy allows a call.
 *
 * @param policy - The policy.
 * @param action - The action, such as `s3:PutObject`.
 * @param resource - The ARN of what it acts on.
 * @param context - The values that conditions compare, by their keys.
 * @returns Whether a statement allows it.
 */
export function allows({ Statement }: Policy, action: string, resource: string, context: object = {}): boolean {
  return Statement.some(
    ({ Action, Resource, Condition }) =>
      Action.some((pattern) => matches(pattern.toLowerCase(), action.toLowerCase())) &&
      Resource.some((pattern) => matches(pattern, resource)) &&
      Object.entries(Condition?.StringEquals ?? {}).every(([key, value]) => Object(context)[key] === value),
  );
}

function matches(pattern: string, text: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(text);
}
