import { describe, expect, it } from '@jest/globals';
import { openStore } from '../../functions/stores.js';
import { note } from '../support/service/notes.js';

const first = async (declared: { first?: { text: string } }) =>
  JSON.parse((await openStore({ name: 'test-note', schema: note, ...declared }).list({}, 'request-1')).json);

describe('a store', () => {
  it('begins with the first item of its resource, defaults filled in', async () => {
    expect(await first({ first: { text: 'a' } })).toEqual([{ key: expect.any(String), text: 'a', isPinned: false }]);
  });

  it('begins empty where its resource declares no first item', async () => {
    expect(await first({})).toEqual([]);
  });

  it('is not opened for a first item that is not valid', () => {
    const open = () => openStore({ name: 'note', schema: note, first: { text: '' } });
    expect(open).toThrow(/^the first item of note is not valid: ./);
  });
});
