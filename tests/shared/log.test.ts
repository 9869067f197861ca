import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { LOG_LEVELS, openLog } from '../../shared/log.js';
import { captureLog } from '../support/log.js';

afterEach(() => {
  jest.restoreAllMocks();
});

describe('the log', () => {
  it.each(LOG_LEVELS)('opened at level %s has the lines of that level and those above', (threshold) => {
    const lines = captureLog();
    const log = openLog(threshold);
    for (const level of ['debug', 'info', 'warn', 'error'] as const) log[level]?.('said', { by: level });
    const heard = ['debug', 'info', 'warn', 'error'].slice(LOG_LEVELS.indexOf(threshold));
    expect(lines).toEqual(
      heard.map((by) => ({ timestamp: expect.any(String), level: by.toUpperCase(), message: 'said', by })),
    );
  });
});
