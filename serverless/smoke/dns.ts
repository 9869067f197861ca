import { lookup } from 'node:dns/promises';
import type { DeployedStage } from './deployed-stage.js';
import type { Lines } from './outcome.js';
import { shown } from './shown.js';

/** With `--connect-to`, says what DNS answers for the name that callers use. The trial itself does not depend on that. */
export async function* tellAddresses({ expected: { url, connectTo } }: DeployedStage): Lines {
  if (connectTo === undefined) return;
  const { hostname } = new URL(url);
  const [named, connected] = await Promise.all([hostname, connectTo].map(addressesOf));
  const isSame =
    typeof named !== 'string' &&
    typeof connected !== 'string' &&
    named?.some((address) => connected?.includes(address));
  yield {
    note: `All requests go to ${connectTo}. DNS leads ${hostname} ${isSame ? 'there' : `to ${toldOf(named)}, and ${connectTo} to ${toldOf(connected)}`}`,
  };
}

/** The addresses of a host, or why it has none. */
async function addressesOf(host: string): Promise<readonly string[] | string> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch (error) {
    return `nothing (${(error as NodeJS.ErrnoException).code})`;
  }
}

const toldOf = (addresses: readonly string[] | string | undefined) =>
  typeof addresses === 'string' ? addresses : (addresses ?? []).map((address) => shown(address)).join(', ');
