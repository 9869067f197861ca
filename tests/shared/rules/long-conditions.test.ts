import { describe, it } from '@jest/globals';
import { expectInProportion } from '../../support/cost.js';
import { expectStatus } from '../../support/service/answer.js';
import { PARCELS } from '../../support/service/parcels.js';
import { startService } from '../../support/service/service.js';

describe('If-Match is read in time in proportion to its length (rule 18)', () => {
  const service = startService();

  it.each([
    ['tags', 412, (count: number) => '"1",'.repeat(count)],
    ['commas without tags', 400, (count: number) => `${' ,'.repeat(count)}x`],
    ['spaces', 412, (count: number) => ' '.repeat(4 * count)],
    ['a tag that never ends', 400, (count: number) => `"${'1'.repeat(4 * count)}`],
  ])('with many %s', async (_what, status, value) => {
    await expectInProportion(8_000, (count) => {
      const headers = { 'If-Match': value(count) };
      return () => expectStatus(status, service.call('GET', PARCELS, { headers }));
    });
  });
});
