import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { listen } from './listen.js';

/** Finds a port that is free now. It is of a range that systems don't assign by themselves, so it most likely stays free. */
export async function freePort(): Promise<number> {
  const port = randomInt(10_000, 32_000);
  const server = createServer();
  const isFree = await listen(server, port).then(Boolean, () => false);
  server.close();
  return isFree ? port : freePort();
}
