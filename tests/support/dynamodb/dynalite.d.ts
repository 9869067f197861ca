declare module 'dynalite' {
  import type { Server } from 'node:http';

  /** `path` is the folder for the data; in memory when left out. */
  export default function dynalite(options?: { path?: string; createTableMs?: number; ssl?: boolean }): Server;
}
