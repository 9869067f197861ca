import { readFileSync } from 'node:fs';
import type { Document } from '../../../docs/page/markup/swagger-document.js';

/**
 * Makes a document of several resources: the service's own with other names, each with eleven members.
 *
 * @param count - How many resources, at most ten.
 */
export function documentOf(count: number): Document {
  const own = readFileSync('docs/swagger.json', 'utf8');
  const documents = NAMES.slice(0, count).map((name, index) => {
    const title = name.charAt(0).toUpperCase() + name.slice(1);
    const renamed = own
      .replaceAll('TodoItem', title)
      .replaceAll('Todo', title)
      .replaceAll('to-do', name)
      .replaceAll('/todo', `/${name}`);
    return widened(JSON.parse(renamed), title, membersOf(name, index));
  });
  const [{ info }] = documents as [Document];
  const paths = Object.assign({}, ...documents.map((document) => document.paths));
  return { info, paths, definitions: Object.assign({}, ...documents.map(({ definitions }) => definitions)) };
}

const NAMES = ['invoice', 'customer', 'parcel', 'store', 'booking', 'employee', 'contract', 'ticket', 'recipe', 'car'];
const WORDS = ['amount', 'currency', 'supplier', 'weight', 'address', 'quantity', 'duration', 'remark', 'priority'];

function membersOf(name: string, index: number): Record<string, object> {
  const members = WORDS.slice(1).map((_, at) => {
    const word = WORDS[(at + index) % WORDS.length];
    const types = [
      { type: 'integer', minimum: 0, maximum: 1000 + index, example: at },
      { type: 'string', maxLength: 64 + at, example: `${word} ${index}` },
      { type: 'string', format: 'date', example: `2026-01-0${at}` },
      { type: 'array', items: { type: 'string', enum: [word, name] }, example: [] },
    ];
    const description = `The ${word} of the ${name}, as the ${NAMES[at]} before it has left it.`;
    return [`${word}Of${name}`, { description, ...types[at % 4] }];
  });
  return Object.fromEntries(members);
}

function widened(document: Document, title: string, members: Record<string, object>): Document {
  const given = Object.entries(members).map(([name, member]) => [name, (member as { example: unknown }).example]);
  const examples = Object.fromEntries(given);
  return JSON.parse(JSON.stringify(document), (name, value) => {
    if (name === title || name === `${title}Patch`)
      return { ...value, properties: { ...value.properties, ...members } };
    return value?.key && value.name && typeof value.key === 'string' ? { ...value, ...examples } : value;
  });
}

/** Returns the document of the last build that is served where tokens are asked for. */
export function documentWithTokens(): Document {
  return JSON.parse(JSON.parse(readFileSync('dist/with-tokens/document.json', 'utf8')).body);
}
