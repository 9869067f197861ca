import { writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** Loads what a measuring process was started for. */
export function load() {
  return import(pathToFileURL(process.argv[2]).href);
}

/** Hands the figures of a measuring process to the one that started it; the log has standard output to itself. */
export function report(figures) {
  writeSync(3, JSON.stringify(figures));
}
