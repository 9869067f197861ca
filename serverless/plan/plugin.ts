/**
 * Returns the hooks of Serverless Framework that keep a deployment from going wrong.
 *
 * @param stage - The stage, which a message names.
 * @returns For each event of the framework, what runs then; it throws an Error that says what to do instead.
 */
export function deploymentHooks(stage: string): Readonly<Record<string, () => Promise<void>>> {
  return { 'before:deploy:function:initialize': () => refuse(stage) };
}

/** It would upload the code, and then fail: it looks for a name that the function's role does not have. */
async function refuse(stage: string): Promise<void> {
  throw new Error(
    `serverless deploy function would fail after its upload. Deploy the stage: npm run deploy -- --stage ${stage}`,
  );
}
