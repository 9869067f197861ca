import fs from 'node:fs';
import { jest } from '@jest/globals';

/**
 * Collects the lines of the log, until mocks are restored.
 *
 * @returns The lines, as they come.
 */
export function captureLog(): Record<string, unknown>[] {
  const lines: Record<string, unknown>[] = [];
  captureOutput((text) => lines.push(JSON.parse(text)));
  return lines;
}

/**
 * Takes what the log writes, until mocks are restored.
 *
 * @param take - Called with each text that is written.
 */
export function captureOutput(take: (text: string) => void): void {
  const { writeSync } = fs;
  // Jest itself writes what it has compiled, to files.
  const write = (file: number, text: string, ...more: []) => {
    if (file !== 1) return writeSync(file, text, ...more);
    take(text);
    return Buffer.byteLength(text);
  };
  jest.spyOn(fs, 'writeSync').mockImplementation(write as typeof writeSync);
}
