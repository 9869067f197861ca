declare module 'dynalite' {
  import type { Server } from 'node:http';

  /** Makes a DynamoDB of one's own; `path` is a folder that keeps the data, which otherwise is in memory. */
  export default function dynalite(options?: { path?: string; createTableMs?: number; ssl?: boolean }): Server;
}
