import { lookup } from 'node:dns/promises';
import type { DeployedStage } from './deployed-stage.js';
import type { Lines } from './outcome.js';

/** With `--connect-to`, says what DNS answers for the name that callers use. The trial itself does not depend on that. */
export async function* tellAddresses({ expected: { url, connectTo } }: DeployedStage): Lines {
  if (connectTo === undefined) return;
  const { hostname } = new URL(url);
  const [named, connected] = await Promise.all([addressesOf(hostname), addressesOf(connectTo)]);
  const isSame = named.addresses.some((address) => connected.addresses.includes(address));
  yield {
    note: `All requests go to ${connectTo}. DNS leads ${hostname} ${isSame ? 'there' : `to ${named.told}, and ${connectTo} to ${connected.told}`}`,
  };
}

/** The addresses of a host, and how to say them, or why it has none. */
async function addressesOf(host: string): Promise<{ readonly addresses: readonly string[]; readonly told: string }> {
  try {
    const addresses = (await lookup(host, { all: true })).map(({ address }) => address);
    return { addresses, told: addresses.join(', ') };
  } catch (error) {
    return { addresses: [], told: `nothing (${(error as NodeJS.ErrnoException).code})` };
  }
}
