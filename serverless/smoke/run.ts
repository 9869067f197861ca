import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, Client } from './client.js';
import { ITEM_CHECKS, LIST, type Trial } from './item-checks.js';
import { readOptions } from './options.js';
import { OwnItem } from './own-item.js';
import { Report } from './report.js';
import { expectThat, Interrupted } from './said.js';
import { ServedDocument } from './served-document.js';
import { durationsIn, ERRORS, LONG_BODIES, OPEN_CHECKS } from './stage-checks.js';

/**
 * Tries a deployed stage as its callers do.
 *
 * @param words - The command's arguments.
 * @param environment - May contain `SMOKE_TOKEN`.
 * @param print - Gets a line for each check that passes, fails or was not tried. The last line is the verdict.
 * @param interrupted - Ends the trial, but an item that it created is deleted.
 * @param cleaningUp - How long that may take, in milliseconds. GitHub kills a step of a cancelled job after ten
 * seconds.
 * @returns The exit code: 0 if all checks pass, otherwise 1.
 * @throws Fault if an argument or the token is wrong.
 */
export async function runSmoke(
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
  print: (line: string) => void,
  interrupted: AbortSignal,
  cleaningUp = 8_000,
): Promise<0 | 1> {
  const client = new Client(readOptions(words, environment), interrupted, cleaningUp);
  const report = new Report(print);
  await tellAddresses(client, report);
  try {
    const document = await waitFor(client, report);
    if (document) await tryAll(document, report);
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
  }
  return report.end();
}

const READY = {
  title: 'The stage answers, and describes itself',
  advice: 'Is this the PageUrl that npx serverless info prints? docs/deploy.md#the-first-time, docs/incidents.md.',
};

async function tryAll(document: ServedDocument, report: Report): Promise<void> {
  const { client } = document;
  const { signed, people, token } = client.expected;
  for (const check of OPEN_CHECKS) await report.try(check, { document });
  if (signed) report.untried(AS_CALLER, 'this command signs no calls');
  else if (people && !token) report.untried(AS_CALLER, 'SMOKE_TOKEN has no token');
  else {
    const trial = { document, item: new OwnItem(document), pages: [] };
    const listed = await report.try(LIST, trial);
    await report.try(ERRORS, { document });
    if (listed === 'passed') await tryItem(trial, report);
  }
  const { told, isSlow } = durationsIn(client.times);
  await report.tell({ title: told, advice: 'docs/scaling.md.' }, async () => expectThat(!isSlow, 'That is slow.'));
  if (!signed && (!people || token)) await report.try(LONG_BODIES, { document });
}

const AS_CALLER = 'The list, items and errors';

/** Creates an item, tries all that can be done with it, and deletes it, whatever happens. */
async function tryItem(trial: Trial, report: Report): Promise<void> {
  const { item } = trial;
  try {
    for (const check of ITEM_CHECKS) if ((await report.try(check, trial)) === 'failed') break;
  } finally {
    if (item.mayBeThere) {
      // First, because this process may be killed before it has deleted the item.
      report.note(`${item.told} may be there, and is deleted now`);
      await report.tell(LEFT, () => item.cleanUp());
    }
  }
}

const LEFT = { title: 'Nothing that was created is left', advice: 'Look at what is there, and delete it yourself.' };

/**
 * Waits while the stage answers 5xx, because the role of a new stage takes up to a minute to work.
 *
 * @returns Undefined if the stage serves no document.
 */
async function waitFor(client: Client, report: Report): Promise<ServedDocument | undefined> {
  const { wait } = client.expected;
  const until = Date.now() + wait * 1_000;
  /** Without a token, because documents need none, and a 401 also shows that the stage answers. */
  async function patiently(path: string): Promise<Answer> {
    for (;;) {
      const answer = await client.callOnce('GET', path, { anonymous: true });
      if (answer.status > 0 && answer.status < 500) return answer;
      expectThat(Date.now() < until, `${answer.told} for ${wait} s.`);
      await sleep(Math.min(1_000, Math.max(until - Date.now(), 0)));
    }
  }
  let document: ServedDocument | undefined;
  const ready = await report.tell(READY, async () => {
    const { status, json, told } = await patiently('/swagger/v1/openapi.json');
    expectThat(status === 200, `${told} instead of 200.`);
    document = new ServedDocument(client, json);
    await patiently(document.list);
  });
  return ready === 'passed' ? document : undefined;
}

/** With `--connect-to`, prints what DNS answers for the name that callers use. The trial does not depend on it. */
async function tellAddresses({ expected: { url, connectTo } }: Client, report: Report): Promise<void> {
  if (connectTo === undefined) return;
  const { hostname } = new URL(url);
  const [named, connected] = await Promise.all([addressesOf(hostname), addressesOf(connectTo)]);
  const isSame = named.some((address) => isIP(address) && connected.includes(address));
  const leads = isSame ? 'there' : `to ${named.join(', ')}, and ${connectTo} to ${connected.join(', ')}`;
  report.note(`All requests go to ${connectTo}. DNS leads ${hostname} ${leads}`);
}

/** Or why the host has none. */
async function addressesOf(host: string): Promise<readonly string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch (error) {
    return [`nothing (${(error as NodeJS.ErrnoException).code})`];
  }
}
