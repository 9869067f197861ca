// Not by the name that the tests use: that one leads here.
import { kinds as all, type Kind } from '../support/kinds';

export type { Kind, Sent } from '../support/kinds';

/** One kind of event in place of all: tests that pass with a fault pass with it behind every gateway, but for the gateway's own. */
export const kinds: readonly Kind[] = all.slice(0, 1);

export const typicalKinds = kinds;
