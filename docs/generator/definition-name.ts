/** What a definition describes: an item as POST, PUT or PATCH sends it, or as the service returns it. */
export type Form = 'posted' | 'put' | 'patched' | 'stored';

const NAMES: Readonly<Record<Form, (title: string) => string>> = {
  posted: (title) => title,
  put: (title) => `${title}Put`,
  patched: (title) => `${title}Patch`,
  stored: (title) => `Stored${title}`,
};

/** Names the definition of an item in one of its forms, from the title of its schema. */
export function definitionName(title: string, form: Form): string {
  return NAMES[form](title);
}

/** The forms that Swagger 2.0 describes in one definition. The first that is there gives it its words and what is required. */
const SHARED: readonly Form[] = ['posted', 'put', 'stored'];

/** Names the definition in Swagger 2.0 that one in OpenAPI becomes a part of. */
export function sharedName(name: string): string {
  return name.replace(/^Stored|Put$/, '');
}

/** Lists the names in OpenAPI of what may become the definition of that name in Swagger 2.0: the reverse of {@link sharedName}. */
export function namesBehind(shared: string): readonly string[] {
  return SHARED.map((form) => definitionName(shared, form));
}

/**
 * Says why a schema can't have a title: its definitions would have the names of others.
 *
 * @returns The reason, as the end of a sentence; undefined if there is none.
 */
export function whyNoTitle(title: string): string | undefined {
  if (title === 'Problem') return 'that is the name of the definition of errors';
  if (sharedName(title) !== title) return 'such a name is made of the title of another schema';
  return undefined;
}
