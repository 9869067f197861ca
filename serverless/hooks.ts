/** What a plugin of Serverless Framework does at its events, by their names. */
export type Hooks = Readonly<Record<string, () => Promise<void>>>;

/** The error of which Serverless Framework shows the message alone. Of any other it shows the stack. */
export type FrameworkError = new (message: string) => Error;

/** Has Serverless Framework show only the messages of errors that were thrown on purpose. */
export function showingMessages(hooks: Hooks, FrameworkError: FrameworkError): Hooks {
  const fail = (error: Error) => {
    throw error.name === 'Error' ? new FrameworkError(error.message) : error;
  };
  return Object.fromEntries(Object.entries(hooks).map(([name, run]) => [name, () => run().catch(fail)]));
}
