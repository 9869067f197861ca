import fs from 'node:fs';
import { jest } from '@jest/globals';

const { writeSync } = fs;

/** Collects the lines of the log, as they come, until mocks are restored. */
export function captureLog(): Record<string, unknown>[] {
  const lines: Record<string, unknown>[] = [];
  captureOutput((text) => lines.push(JSON.parse(text)));
  return lines;
}

/** Takes each text that the log writes, until mocks are restored. */
export function captureOutput(take: (text: string) => void): void {
  // Jest itself writes what it has compiled, to files.
  const write = (file: number, text: string, ...more: []) => {
    if (file !== 1) return writeSync(file, text, ...more);
    take(text);
    return Buffer.byteLength(text);
  };
  jest.spyOn(fs, 'writeSync').mockImplementation(write as typeof writeSync);
}
