import { EXAMPLE } from '../support/service/documented.js';

/** A body that somebody may send to do harm, made with so many bytes or a few less. */
export type WorstBody = { readonly name: string; make(bytes: number): Buffer };

/** A valid item's members, in JSON without the braces. */
const MEMBERS = JSON.stringify(EXAMPLE).slice(1, -1);

/** The last of them, whose name is written in all letter cases, and one that has a text if there is any. */
const LAST = Object.keys(EXAMPLE).at(-1) as string;
const VALUE = JSON.stringify(EXAMPLE[LAST]);
const TEXT = Object.keys(EXAMPLE).find((name) => typeof EXAMPLE[name] === 'string') ?? LAST;

/** Bodies that take much more memory than they have bytes: in the event, decoded, or parsed. */
export const WORST_BODIES: readonly WorstBody[] = [
  nested('brackets', '', '[', ']', ''),
  nested('brackets in a member', `{${MEMBERS},"y":`, '[', ']', '}'),
  nested('objects within objects', `{${MEMBERS},"y":`, '{"":', '}', '}'),
  row('empty objects', `{${MEMBERS},"y":[0`, () => ',{}', ']}'),
  row('empty arrays', `{${MEMBERS},"y":[0`, () => ',[]', ']}'),
  row('fractions', `{${MEMBERS},"y":[0`, () => ',1e-5', ']}'),
  row('objects of one member', `{${MEMBERS},"y":[0`, (number) => `,{"${number.toString(36)}":0}`, ']}'),
  row('members', `{${MEMBERS}`, (number) => `,"${number.toString(36)}":0`, '}'),
  row('numbered members', `{${MEMBERS}`, (number) => `,"${number}":0`, '}'),
  row('members of the same name', `{${MEMBERS}`, () => `,${MEMBERS}`, '}'),
  row('names in all letter cases', `{${MEMBERS}`, (number) => `,"${inCase(LAST, number)}":${VALUE}`, '}'),
  row('texts', `{${MEMBERS},"y":[0`, (number) => `,"${number.toString(36)}"`, ']}'),
  row('escapes', `{"${TEXT}":"`, () => '\\u0000', '"}'),
  row('characters of three bytes', `{"${TEXT}":"`, () => '€', '"}'),
  row('halves of surrogate pairs', `{"${TEXT}":"`, () => '\\ud800', '"}'),
  row('spaces', '', () => ' ', ''),
  row('a text without an end', `{"${TEXT}":"`, () => 'x', ''),
  { name: 'what is no UTF-8', make: (bytes) => Buffer.alloc(bytes, 0xff) },
];

function nested(name: string, start: string, open: string, close: string, end: string): WorstBody {
  const make = (bytes: number) => {
    const depth = Math.floor((bytes - start.length - end.length - 1) / (open.length + close.length));
    return Buffer.from(`${start}${open.repeat(depth)}0${close.repeat(depth)}${end}`);
  };
  return { name, make };
}

function row(name: string, start: string, unit: (number: number) => string, end: string): WorstBody {
  const make = (bytes: number) => {
    const units: string[] = [];
    let left = bytes - start.length - end.length;
    for (let number = 0; ; number += 1) {
      const text = unit(number);
      left -= Buffer.byteLength(text);
      if (left < 0) return Buffer.from(`${start}${units.join('')}${end}`);
      units.push(text);
    }
  };
  return { name, make };
}

/** Writes a name with those letters in upper case whose bits are set in the number. */
function inCase(name: string, number: number): string {
  return Array.from(name, (letter, index) => ((number >> index) & 1 ? letter.toUpperCase() : letter)).join('');
}
