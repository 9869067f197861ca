import fs from 'node:fs';
import { jest } from '@jest/globals';

/**
 * Collects the lines of the log, until mocks are restored.
 *
 * @returns The lines, as they come.
 */
export function captureLog(): Record<string, unknown>[] {
  const lines: Record<string, unknown>[] = [];
  jest.spyOn(fs, 'writeSync').mockImplementation((_file, text) => {
    lines.push(JSON.parse(String(text)));
    return String(text).length;
  });
  return lines;
}
