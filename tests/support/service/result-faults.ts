import { LARGEST_RESULT } from '../../../shared/gateway/gateway.js';

const MEMBERS = ['body', 'headers', 'isBase64Encoded', 'statusCode'];

/**
 * Lists what is wrong with a result, by the rules that gateways of all kinds share, and what no caller may cause.
 *
 * @param result - What the handler returned.
 * @returns What is wrong; empty for a valid result.
 */
export function faultsOf(result: unknown): string[] {
  const { statusCode, headers, body, isBase64Encoded, ...rest } = result as Record<string, unknown>;
  const fields = Object.entries((headers ?? {}) as Record<string, unknown>);
  return [
    ...(Object.keys(rest).length > 0 ? [`members besides ${MEMBERS}: ${Object.keys(rest)}`] : []),
    ...(Number.isInteger(statusCode) && (statusCode as number) >= 200 ? [] : [`the status ${statusCode}`]),
    ...((statusCode as number) >= 500 && statusCode !== 507 ? [`a fault of the service: ${statusCode} ${body}`] : []),
    ...(typeof body === 'string' ? [] : ['a body that is no text']),
    ...(typeof isBase64Encoded === 'boolean' ? [] : ['isBase64Encoded is no boolean']),
    ...fields.filter(([name, value]) => !isField(name, value)).map(([name, value]) => `the field ${name}: ${value}`),
    ...(headers && 'X-Content-Type-Options' in (headers as object) ? [] : ['no X-Content-Type-Options']),
    ...(Buffer.byteLength(JSON.stringify(result)) > LARGEST_RESULT ? ['it is too large'] : []),
  ];
}

/** Whether a header field is printable ASCII (RFC 9110, section 5.5), so that nothing can be smuggled into it. */
function isField(name: string, value: unknown): boolean {
  return /^[\w-]+$/.test(name) && typeof value === 'string' && /^[\x20-\x7e]*$/.test(value);
}
