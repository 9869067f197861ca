import { tryAnonymously } from './access.js';
import { DeployedStage } from './deployed-stage.js';
import { tryDocuments, waitFor } from './documents.js';
import { tryItem } from './item.js';
import { readOptions } from './options.js';
import { tryOrigin } from './origin.js';
import { Fault, type Lines, skipped } from './outcome.js';

/**
 * Tries a deployed stage as its callers do.
 *
 * @param words - The command's arguments.
 * @param environment - `SMOKE_TOKEN` may have a token.
 * @param print - Gets a line for what holds, for what does not, and for what was not tried.
 * @param interrupted - Ends the trial; an item that it created is deleted nevertheless.
 * @returns The exit code: 0 if all holds, otherwise 1.
 * @throws Fault if an argument or the token is wrong.
 */
export async function runSmoke(
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
  print: (line: string) => void,
  interrupted: AbortSignal,
): Promise<0 | 1> {
  let code: 0 | 1 = 0;

  /** A fault ends these lines, but not those of the other trials. */
  async function tell(lines: Lines): Promise<void> {
    try {
      for await (const line of lines)
        print(typeof line === 'string' ? `ok      ${line}.` : `-       Not tried: ${line.skipped}.`);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      code = 1;
      print(`FAILED  ${error.message}`);
    }
  }

  async function* tryAll(stage: DeployedStage): Lines {
    const { people, signed, token } = stage.expected;
    const described = await waitFor(stage);
    await tell(tryDocuments(stage));
    await tell(tryAnonymously(stage, described));
    await tell(tryOrigin(stage, described));
    if (signed) return yield skipped('Items', 'this command signs no calls');
    if (people && !token) return yield skipped('Items, and with them the table', 'SMOKE_TOKEN has no token');
    yield* tryItem(stage, described);
  }

  const stage = new DeployedStage(readOptions(words, environment), interrupted);
  await tell(tryAll(stage));
  if (stage.times.length > 0) print(durationsOf(stage.times));
  return code;
}

/** How long the first answer took, which may have started an instance, and the middle one of the others. */
function durationsOf([first = 0, ...later]: readonly number[]): string {
  const middle = later.sort((one, other) => one - other)[Math.floor(later.length / 2)] ?? first;
  return `The first answer took ${Math.round(first)} ms, the others ${Math.round(middle)} ms (median of ${later.length}).`;
}
