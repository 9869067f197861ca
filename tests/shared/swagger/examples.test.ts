import { readFileSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import Ajv from 'ajv';
import type { DescribedResponse, Document } from '../../../shared/swagger/described.js';
import { withExamples } from '../../../shared/swagger/examples.js';

const document: Document = JSON.parse(readFileSync('docs/swagger.json', 'utf8'));

const responses = Object.values(withExamples(document).paths)
  .flatMap((operations) => Object.values(operations))
  .flatMap((operation) =>
    Object.entries(operation.responses).map(
      ([status, response]) => [operation.operationId, status, response] as [string, string, DescribedResponse],
    ),
  );
const problems = responses.filter(([, status]) => Number(status) >= 400);

describe('the examples of problems', () => {
  it.each(problems)('of %s have one for %s that the definition admits', (_, status, { examples }) => {
    const problem = examples?.['application/problem+json'] as { status: number; title: string; detail: string };
    const isProblem = new Ajv({ strict: false, formats: { int32: true } }).compile(
      document.definitions.Problem as object,
    );
    expect([isProblem(problem), isProblem.errors]).toEqual([true, null]);
    expect(problem).toMatchObject({ status: Number(status), title: STATUS_CODES[status] });
    expect(problem.detail ?? 'None.').toMatch(/^[A-Z].*\.$/);
    expect(problem.detail === undefined).toBe(status === '500');
  });

  it('of a wrong request fit what the operation takes', () => {
    const wrong = (id: string) => problems.find(([operation, status]) => operation === id && status === '400')?.[2];
    expect(JSON.stringify(wrong('ApiTodoGet'))).toContain('"parameter":"limit"');
    expect(JSON.stringify(wrong('ApiTodoPost'))).toContain('"pointer":"#/name"');
  });

  it('are given to nothing else, and take the place of none that is there', () => {
    for (const [, status, { examples }] of responses) expect(examples === undefined).toBe(Number(status) < 400);
    const own = { 'application/problem+json': { status: 404 } };
    const operation = { tags: [], summary: '', operationId: '', parameters: [] };
    const described = {
      ...operation,
      responses: { 400: { description: '' }, 404: { description: '', examples: own }, 418: { description: 'Tea.' } },
    };
    const made = withExamples({ ...document, paths: { '/': { get: described } } }).paths['/']?.get?.responses;
    expect(made?.[404]?.examples).toBe(own);
    expect(JSON.stringify(made?.[418])).toContain('"detail":"Tea."');
    expect(JSON.stringify(made?.[400])).toContain('entity tags');
  });
});
