import { jest } from '@jest/globals';

/**
 * Collects the lines of the log, until mocks are restored.
 *
 * @returns The lines, as they come.
 */
export function captureLog(): Record<string, unknown>[] {
  const lines: Record<string, unknown>[] = [];
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    lines.push(JSON.parse(String(text)));
    return true;
  });
  return lines;
}
