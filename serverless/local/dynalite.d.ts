declare module 'dynalite' {
  import type { Server } from 'node:http';

  /** Makes a DynamoDB. `path` is the folder that keeps the data; in memory when left out. */
  export default function dynalite(options?: { path?: string; createTableMs?: number; ssl?: boolean }): Server;
}
