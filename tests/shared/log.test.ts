import { expect, it } from '@jest/globals';
import { describeError } from '../../shared/log.js';

const stack = expect.stringMatching(/^ +at (JSON\.parse.*\n.*)?.*log\.test\.ts:\d+:\d+\)?\n/);
const error = (name: string, message: string, more = {}) => ({ name, message, stack, ...more });
const having = (members: object) => Object.assign(new Error('x'), members);
const notJson = (text: string) => {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error;
  }
};
const causes = new TypeError('x', { cause: new Error('y', { cause: 'z' }) });
const refused = ['a', 'b'].map((message) => new Error(message));
const UNKNOWN = { message: "something that can't be described was thrown" };

it.each<[what: string, thrown: unknown, described: object]>([
  ['causes', causes, error('TypeError', 'x', { cause: error('Error', 'y', { cause: { message: 'z' } }) })],
  ['what is no error', Symbol('x'), { message: 'Symbol(x)' }],
  ['an object that has no text', Object.create(null), UNKNOWN],
  ['an error whose stack is no text', having({ stack: 7 }), UNKNOWN],
  ['an error whose message is no text', having({ message: 7n, stack: '' }), { name: 'Error', message: '7' }],
  ['an error without its other members', having({ Item: { name: 'secret' } }), error('Error', 'x')],
  ['each error of several', new AggregateError(refused), error('AggregateError', 'a, b')],
  ['several errors with a message', new AggregateError(refused, 'both'), error('AggregateError', 'both')],
  ['the error of a parser', notJson('secret'), error('SyntaxError', 'a text is not JSON')],
])('describes %s', (_what, thrown, described) => {
  expect(JSON.parse(JSON.stringify(describeError(thrown)))).toEqual(described);
});

it('a description is short enough for the log, although causes may form a circle', () => {
  const error = new Error('x'.repeat(1_000_000));
  error.cause = new Error('y'.repeat(1_000_000), { cause: error });
  expect(JSON.stringify(describeError(error)).length).toBeLessThan(50_000);
});
