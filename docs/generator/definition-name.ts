/** An item as POST, PUT or PATCH sends it, or as the service returns it. */
export type Form = 'posted' | 'put' | 'patched' | 'stored';

const NAMES: Readonly<Record<Form, (title: string) => string>> = {
  posted: (title) => title,
  put: (title) => `${title}Put`,
  patched: (title) => `${title}Patch`,
  stored: (title) => `Stored${title}`,
};

export function definitionName(title: string, form: Form): string {
  return NAMES[form](title);
}

/** Swagger 2.0 describes these in one definition. The first that exists gives it its words and what is required. */
const SHARED: readonly Form[] = ['posted', 'put', 'stored'];

/** The definition in Swagger 2.0 that one in OpenAPI becomes a part of. */
export function sharedName(name: string): string {
  return name.replace(/^Stored|Put$/, '');
}

/** The reverse of {@link sharedName}: all names in OpenAPI that may become that definition. */
export function namesBehind(shared: string): readonly string[] {
  return SHARED.map((form) => definitionName(shared, form));
}

/**
 * Rejects a title if its definitions would get the names of others.
 *
 * @returns The reason, as the end of a sentence.
 */
export function whyNoTitle(title: string): string | undefined {
  if (title === 'Problem') return 'that is the name of the definition of errors';
  if (sharedName(title) !== title) return 'such a name is made of the title of another schema';
  return undefined;
}
