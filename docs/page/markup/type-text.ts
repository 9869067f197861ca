import { type Content, html } from './html.js';
import { type Definition, nameOf } from './swagger-document.js';

/**
 * Writes the type of a value and its limits, for example "integer from 1 to 1000, default 50".
 *
 * @param named - Writes the name of a definition; as a link to its model, if left out.
 */
export function typeOf(value: Definition, named: (name: string) => Content = linkTo): Content {
  const name = nameOf(value);
  if (name !== undefined) return named(name);
  const { items, default: omitted } = value;
  const kind = items ? ['array of ', typeOf(items, named)] : scalarOf(value);
  const most = [
    items && range('of', value.minItems, value.maxItems, ' items'),
    value.uniqueItems && 'without duplicates',
    value.pattern !== undefined && html`matching <code>${value.pattern}</code>`,
  ].filter(Boolean);
  const limits = most.map((text) => [', ', text as Content]);
  const nullable = value['x-nullable'] && (limits.length > 0 ? ', or null' : ' or null');
  return [kind, limits, nullable, omitted !== undefined && `, default ${JSON.stringify(omitted)}`];
}

export function linkTo(name: string): Content {
  return html`<a href="#model-${encodeURIComponent(name)}">${name}</a>`;
}

function scalarOf({ type, format, enum: values, ...limits }: Definition): string {
  const parts = [
    type,
    format && `(${format})`,
    rangeOf(limits),
    range('of', limits.minLength, limits.maxLength, ' characters'),
    values && `one of ${values.join(', ')}`,
  ];
  return parts.filter(Boolean).join(' ');
}

function rangeOf({ minimum, exclusiveMinimum, maximum }: Definition): string {
  if (!exclusiveMinimum) return range('from', minimum, maximum);
  return `above ${minimum}${maximum === undefined ? '' : ` and at most ${maximum}`}`;
}

function range(word: string, least?: number, most?: number, unit = ''): string {
  if (least !== undefined && most !== undefined) return `${word} ${least} to ${most}${unit}`;
  if (least !== undefined) return `of at least ${least}${unit}`;
  return most === undefined ? '' : `of at most ${most}${unit}`;
}
