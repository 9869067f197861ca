import { expect, it } from '@jest/globals';
import { describeError } from '../../shared/log.js';

const frames = expect.stringMatching(/^ +at (JSON\.parse.*\n.*)?.*log\.test\.ts:\d+:\d+\)?\n/);
const notJson = (text: string) => {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error;
  }
};
const refused = ['::1', '127.0.0.1'].map((address) => new Error(`connect ECONNREFUSED ${address}`));
const circle = new Error('inner');
circle.cause = new Error('outer', { cause: circle });
const without = (members: object) => Object.assign(new Error('x', { cause: 'why' }), members);
const UNKNOWN = "something that can't be described was thrown";

it.each<[what: string, thrown: unknown, described: object]>([
  ['an error', new TypeError('x'), { name: 'TypeError', message: 'x', stack: frames }],
  [
    'an error with causes',
    new Error('x', { cause: new Error('y', { cause: 'z' }) }),
    {
      name: 'Error',
      message: 'x',
      stack: frames,
      cause: { name: 'Error', message: 'y', stack: frames, cause: { message: 'z' } },
    },
  ],
  [
    'causes in a circle',
    circle,
    { name: 'Error', message: 'inner', stack: frames, cause: { name: 'Error', message: 'outer', stack: frames } },
  ],
  ['no error', undefined, { message: 'undefined' }],
  ['a symbol', Symbol('x'), { message: 'Symbol(x)' }],
  ['what has no text', Object.create(null), { message: UNKNOWN }],
  ['a stack that is none', without({ stack: 7 }), { message: UNKNOWN }],
  [
    'a message that JSON lacks',
    without({ message: 7n, stack: '' }),
    { name: 'Error', message: '7', cause: { message: 'why' } },
  ],
  [
    'other members',
    without({ Item: { name: 'secret' }, stack: '' }),
    { name: 'Error', message: 'x', cause: { message: 'why' } },
  ],
  [
    'several errors, as of all addresses of a host',
    new AggregateError(refused),
    { name: 'AggregateError', message: 'connect ECONNREFUSED ::1, connect ECONNREFUSED 127.0.0.1', stack: frames },
  ],
  [
    'several errors with a message',
    new AggregateError(refused, 'both'),
    { name: 'AggregateError', message: 'both', stack: frames },
  ],
  ['the error of a parser', notJson('secret'), { name: 'SyntaxError', message: 'a text is not JSON', stack: frames }],
])('describes %s', (_what, thrown, described) => {
  expect(JSON.parse(JSON.stringify(describeError(thrown)))).toEqual(described);
});

it('does not describe more than a line of the log holds', () => {
  let error = new Error('x'.repeat(1_000_000));
  for (let causes = 0; causes < 1_000; causes += 1) error = new Error('y'.repeat(1_000_000), { cause: error });
  expect(JSON.stringify(describeError(error)).length).toBeLessThan(50_000);
});
