import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { listen } from './listen.js';

/** A port that nobody has at the moment, and that no system gives away by itself, so hardly anybody takes it meanwhile. */
export async function freePort(): Promise<number> {
  const port = randomInt(10_000, 32_000);
  const server = createServer();
  const isFree = await listen(server, port).then(Boolean, () => false);
  server.close();
  return isFree ? port : freePort();
}
