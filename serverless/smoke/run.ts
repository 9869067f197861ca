import { tryAnonymously } from './access.js';
import { DeployedStage } from './deployed-stage.js';
import { tellAddresses } from './dns.js';
import { tryDocuments, waitFor } from './documents.js';
import { tellDurations } from './durations.js';
import { tryItem } from './item.js';
import { readOptions } from './options.js';
import { tryOrigin } from './origin.js';
import { Fault, type Lines, skipped } from './outcome.js';
import { OwnItem } from './own-item.js';

/**
 * Tries a deployed stage as its callers do.
 *
 * @param words - The command's arguments.
 * @param environment - `SMOKE_TOKEN` may have a token.
 * @param print - Gets a line for each check that passes or fails, and for what was not tried. The last line is the verdict.
 * @param interrupted - Ends the trial; an item that it created is deleted nevertheless.
 * @param cleaningUp - For how long that may take then, in milliseconds; by default 8 seconds.
 * @returns The exit code: 0 if all checks pass, otherwise 1.
 * @throws Fault if an argument or the token is wrong.
 */
export async function runSmoke(
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
  print: (line: string) => void,
  interrupted: AbortSignal,
  cleaningUp?: number,
): Promise<0 | 1> {
  const count = { passed: 0, failed: 0, skipped: 0 };

  /** A fault ends these lines, but not those of the other trials. */
  async function tell(lines: Lines): Promise<void> {
    try {
      for await (const line of lines) {
        if (typeof line === 'string') {
          count.passed += 1;
          print(`ok      ${line}.`);
        } else if ('note' in line) print(`-       ${line.note}.`);
        else {
          count.skipped += 1;
          print(`-       Not tried: ${line.skipped}.`);
        }
      }
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      count.failed += 1;
      print(`FAILED  ${error.message}`);
    }
  }

  async function* tryAll(stage: DeployedStage): Lines {
    const { people, signed, token } = stage.expected;
    const described = await waitFor(stage);
    for (const trial of [tryDocuments, tryAnonymously, tryOrigin]) {
      await tell(trial(stage, described));
      if (interrupted.aborted) return;
    }
    if (signed) return yield skipped('Items', 'this command signs no calls');
    if (people && !token) return yield skipped('Items, and with them the table', 'SMOKE_TOKEN has no token');
    const item = new OwnItem(stage, described);
    try {
      await tell(tryItem(item));
    } finally {
      await tell(item.cleanUp());
    }
  }

  const stage = new DeployedStage(readOptions(words, environment), interrupted, cleaningUp);
  await tell(tellAddresses(stage));
  await tell(tryAll(stage));
  if (!interrupted.aborted) await tell(tellDurations(stage.times));
  const { passed, failed, skipped: untried } = count;
  const others = untried > 0 ? ` ${untried} not tried.` : '';
  print(failed > 0 ? `FAILED  ${failed} of ${passed + failed} checks.${others}` : `PASSED  ${passed} checks.${others}`);
  return failed > 0 ? 1 : 0;
}
