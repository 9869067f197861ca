import type { APIGatewayProxyResult } from 'aws-lambda';
import type { Request, Response } from '../http/message.js';
import { quoted } from '../schema/quoted.js';
import { contextOf, type GatewayEvent, isObject } from './event.js';
import { FunctionUrlRequest, HttpApiRequest } from './http-api.js';
import { RestRequest } from './rest-api.js';

/** In bytes of a result's JSON. With one byte more, the caller gets 502. */
export const LARGEST_RESULT = 6_291_556;

/** In bytes of a result's JSON. The rest is for header fields: the longest prefix, `Link` and allowed origin fit. */
export const LARGEST_CONTENT = LARGEST_RESULT - 2_048;

/**
 * @param awsRequestId - Lambda's id of the invocation, for events without an id.
 * @returns Undefined if no supported gateway sends such an event.
 */
export function readEvent(event: unknown, awsRequestId?: string): Request | undefined {
  if (!isObject(event)) return undefined;
  const { httpMethod, path, rawPath } = event;
  const context = contextOf(event);
  if (isObject(context.http)) {
    const { method } = context.http;
    if (typeof method !== 'string' || typeof rawPath !== 'string') return undefined;
    const Kind = isFunctionUrl(context.domainName) ? FunctionUrlRequest : HttpApiRequest;
    return new Kind(event, method, rawPath, awsRequestId);
  }
  if (typeof httpMethod !== 'string' || typeof path !== 'string' || isBalancer(context)) return undefined;
  return new RestRequest(event, httpMethod, path, awsRequestId);
}

/** A REST API rejects any other member. */
export function writeResult({ status, headers, body, isBase64Encoded }: Response): APIGatewayProxyResult {
  return {
    statusCode: status,
    headers: headers as Record<string, string>,
    body: body ?? '',
    isBase64Encoded: isBase64Encoded ?? false,
  };
}

/** Without the contents of the event. */
export function describeEvent(event: unknown): string {
  if (!isObject(event)) return event === null ? 'null' : `a value of type ${typeof event}`;
  if (isBalancer(contextOf(event))) return "a load balancer's event";
  const record = Array.isArray(event.Records) ? event.Records[0] : undefined;
  const source = isObject(record) ? (record.eventSource ?? record.EventSource) : event.source;
  if (typeof source === 'string') return `an event from ${quoted(source)}`;
  const members = Object.keys(event).join(', ');
  return members === '' ? 'an event without members' : `an event with the members ${quoted(members)}`;
}

/** A load balancer's events look like a REST API's, but it takes other results. */
function isBalancer(context: GatewayEvent): boolean {
  return 'elb' in context;
}

function isFunctionUrl(domainName: unknown): boolean {
  return typeof domainName === 'string' && domainName.includes('.lambda-url.');
}
