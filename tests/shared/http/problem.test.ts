import { STATUS_CODES } from 'node:http';
import { expect, it } from '@jest/globals';
import { type Kind, type Problem, problemResponse } from '../../../shared/http/problem.js';
import { PROBLEMS } from '../../../shared/http/problems.js';
import { aRequest } from '../../support/service/request.js';

/** What RFC 9110 calls two statuses now. Node.js has their former names. */
const RENAMED: Readonly<Record<number, string>> = { 413: 'Content Too Large', 422: 'Unprocessable Content' };

const ROWS = Object.entries(PROBLEMS) as [Kind, Problem][];

it.each(ROWS)(
  'the problem "%s" is as RFC 9457 has it, and says whether anything may have been changed',
  (kind, row) => {
    const { status, detail, applied } = row;
    const { headers, body } = problemResponse(aRequest(), kind);
    const problem = {
      type: 'about:blank',
      code: kind,
      title: RENAMED[status] ?? STATUS_CODES[status],
      status,
      requestId: 'request-1',
    };
    expect(JSON.parse(body ?? '')).toEqual({ ...problem, detail, applied });
    expect(headers).toMatchObject({ 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store' });
    expect(detail?.includes('nothing was changed') ?? false).toBe(applied === false);
    if ('applied' in row) expect([429, 503]).toContain(status);
  },
);

it.each(ROWS)('the code "%s" is in words joined by hyphens', (kind) => {
  expect(kind).toMatch(/^[a-z]+(-[a-z]+)*$/);
});
