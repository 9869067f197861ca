import type { Kind, Problem } from '../../shared/http/problem.js';
import { PROBLEMS } from '../../shared/http/problems.js';
import type { AnswerDeclaration, AnyRoute } from '../../shared/routing/route.js';

/**
 * What a route can answer: its declared answers, and the problems of its query, body or header fields. In numerical
 * order, because JavaScript sorts such keys.
 */
export function answersOf(route: AnyRoute): Readonly<Record<string, AnswerDeclaration>> {
  const implied = KINDS.filter(([, row]) => row.by !== 'operation' && isPossible(route, row));
  return { ...Object.fromEntries(implied.map(([, { status }]) => [status, {}])), ...route.answers };
}

/**
 * The kinds of problem that a route answers with a status. If it declares the status for a reason that the table does
 * not contain, all kinds of the status. But none for 400, which only the route itself can explain then.
 */
export function kindsOf(route: AnyRoute, status: string): readonly Kind[] {
  const rows = KINDS.filter(([, row]) => String(row.status) === status);
  const possible = rows.filter(([, row]) => isPossible(route, row));
  const all = status === '400' ? [] : rows.filter(([, { meaning }]) => meaning);
  return (possible.length > 0 ? possible : all).map(([kind]) => kind);
}

/** The kinds of problem that a status has only with sign-in. */
export function kindsByToken(status: number): readonly Kind[] {
  return KINDS.filter(([, row]) => row.by === 'token' && row.status === status).map(([kind]) => kind);
}

/** In a sentence; empty for a success. */
export function meaningOf(route: AnyRoute, status: string): string {
  return status === '304' ? 'If-None-Match names the current version.' : sentenceOf(kindsOf(route, status));
}

/** In a sentence; empty if they have no meaning. */
export function sentenceOf(kinds: readonly Kind[]): string {
  const meanings = kinds.map((kind) => (PROBLEMS[kind] as Problem).meaning).filter(Boolean);
  const text = meanings.join(', or ');
  return text && `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

const KINDS = Object.entries(PROBLEMS) as [Kind, Problem][];

function isPossible(route: AnyRoute, { by, status }: Problem): boolean {
  return by !== undefined && POSSIBLE[by](route, status);
}

const POSSIBLE: Readonly<Record<NonNullable<Problem['by']>, (route: AnyRoute, status: number) => boolean>> = {
  query: ({ query }) => query !== undefined,
  body: ({ body }) => body !== undefined,
  conditional: ({ conditional }) => conditional === true,
  'conditional write': ({ conditional, method }) => conditional === true && method !== 'GET',
  idempotent: ({ idempotent }) => idempotent === true,
  write: ({ method }) => method !== 'GET',
  route: () => true,
  operation: ({ answers }, status) => status in answers,
  // Only with sign-in.
  token: () => false,
};
