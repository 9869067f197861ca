import { type Definition, exampleOf, resolve, type SwaggerOperation } from './type.js';

/** A field of an operation's form on the page. */
export interface Field extends Definition {
  readonly in: string;
  readonly name: string;
  /** The choices, if there are only some. The empty one sends nothing. */
  readonly choices?: readonly unknown[];
  readonly value?: string;
}

/**
 * Makes the fields of an operation, in the order in which the page shows them: its parameters, and the header fields that
 * choose a media type. The method is in lower case, and the definitions are those of the document.
 */
export function fieldsOf(
  { parameters, consumes = [], produces = [] }: Pick<SwaggerOperation, 'parameters' | 'consumes' | 'produces'>,
  method: string,
  definitions: Readonly<Record<string, Definition>>,
): readonly Field[] {
  return [
    ...(parameters as readonly Field[]).map((parameter): Field => {
      if (parameter.in === 'body') return { ...parameter, value: bodyOf(parameter, method, definitions) };
      const values = parameter.enum ?? (parameter.type === 'boolean' ? [true, false] : undefined);
      return { ...parameter, ...(values && { choices: parameter.required ? values : ['', ...values] }) };
    }),
    ...mediaTypes('Content-Type', consumes),
    ...mediaTypes('Accept', produces),
  ];
}

/**
 * The documented example, as text. A POST leaves out the members that the service assigns: a generated document requires each
 * of the others or has a default for it.
 */
function bodyOf(
  { schema = {} }: Definition,
  method: string,
  definitions: Readonly<Record<string, Definition>>,
): string {
  const { properties = {}, required = [], ...keywords } = resolve(schema, definitions);
  const isSent = ([name, member]: [string, Definition]) =>
    method !== 'post' || (required as readonly string[]).includes(name) || member.default !== undefined;
  const sent = Object.fromEntries(Object.entries(properties).filter(isSent));
  return JSON.stringify(exampleOf({ ...keywords, properties: sent }, definitions), null, 2);
}

/** JSON comes first. */
function mediaTypes(name: string, types: readonly string[]): readonly Field[] {
  const json = types.filter((type) => type === 'application/json');
  const choices = [...new Set([...json, ...types])];
  return choices.length === 0 ? [] : [{ in: 'header', name, choices }];
}
