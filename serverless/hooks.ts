/** By event of Serverless Framework. */
export type Hooks = Readonly<Record<string, () => Promise<void>>>;

/** Serverless Framework shows only the message of this error, and the stack of any other. */
export type FrameworkError = new (message: string) => Error;

export function showingMessages(hooks: Hooks, FrameworkError: FrameworkError): Hooks {
  const fail = (error: Error) => {
    throw error.name === 'Error' ? new FrameworkError(error.message) : error;
  };
  return Object.fromEntries(Object.entries(hooks).map(([name, run]) => [name, () => run().catch(fail)]));
}
