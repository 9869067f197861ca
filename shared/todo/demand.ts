import type { Condition } from './condition.js';
import { type Row, rowOf } from './row.js';

/** A condition as DynamoDB takes it along with a write. */
export interface Demand {
  readonly expression: string;
  readonly values: Row;
}

/**
 * Writes a condition as an expression, which an item must meet besides being there.
 *
 * @param condition - The condition.
 * @returns The expression and its values; undefined where it can't be written so: `IN` takes 1 to 100 operands.
 */
export function demandOf({ among, except }: Condition): Demand | undefined {
  if (except === '*' || among?.length === 0 || [among, except].some((list) => list && list.length > 100))
    return undefined;
  const clauses = ['attribute_exists(#version)'];
  if (among) clauses.push(`#version IN (${among.map((_, index) => `:among${index}`)})`);
  if (except?.length) clauses.push(`NOT #version IN (${except.map((_, index) => `:except${index}`)})`);
  const values = Object.fromEntries([...valuesOf('among', among), ...valuesOf('except', except)]);
  return { expression: clauses.join(' AND '), values };
}

function valuesOf(name: string, versions: readonly number[] = []): [string, Row[string]][] {
  return versions.map((version, index) => [`:${name}${index}`, rowOf({ version }).version as Row[string]]);
}
