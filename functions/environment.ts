/** Environment variables, by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Returns a variable's value, or undefined if it is not set, empty, or `none`. */
export function setting(environment: Environment, name: string): string | undefined {
  return environment[name] === 'none' ? undefined : environment[name] || undefined;
}
