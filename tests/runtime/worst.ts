/** A body that is meant to do harm. */
export interface WorstBody {
  readonly name: string;
  /** As many bytes as are allowed, or a few less. */
  make(bytes: number): Buffer;
}

/** Bodies that take much more memory than they have bytes: as an event, decoded, or parsed. */
export const WORST_BODIES: readonly WorstBody[] = [
  nested('brackets', '', '[', ']', ''),
  nested('brackets in a member', '{"name":"x","y":', '[', ']', '}'),
  nested('objects within objects', '{"name":"x","y":', '{"":', '}', '}'),
  row('empty objects', '{"name":"x","y":[0', () => ',{}', ']}'),
  row('empty arrays', '{"name":"x","y":[0', () => ',[]', ']}'),
  row('fractions', '{"name":"x","y":[0', () => ',.5'.replace('.', '1e-'), ']}'),
  row('objects of one member', '{"name":"x","y":[0', (number) => `,{"${number.toString(36)}":0}`, ']}'),
  row('members', '{"name":"x"', (number) => `,"${number.toString(36)}":0`, '}'),
  row('numbered members', '{"name":"x"', (number) => `,"${number}":0`, '}'),
  row('members of the same name', '{"name":"x"', () => ',"name":"x"', '}'),
  row('names in all letter cases', '{"name":"x"', (number) => `,"${inCase('iscomplete', number)}":true`, '}'),
  row('texts', '{"name":"x","y":[0', (number) => `,"${number.toString(36)}"`, ']}'),
  row('escapes', '{"name":"', () => '\\u0000', '"}'),
  row('characters of three bytes', '{"name":"', () => '€', '"}'),
  row('halves of surrogate pairs', '{"name":"', () => '\\ud800', '"}'),
  row('spaces', '', () => ' ', ''),
  row('a text without an end', '{"name":"', () => 'x', ''),
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

/** A name with its letters in upper case where the number's bits say so. */
function inCase(name: string, number: number): string {
  return Array.from(name, (letter, index) => ((number >> index) & 1 ? letter.toUpperCase() : letter)).join('');
}
