import { expect, it } from '@jest/globals';
import { openStore } from '../../functions/stores.js';
import { note } from '../support/service/notes.js';

it('a store is not opened for a first item that is not valid', () => {
  const open = () => openStore({ name: 'note', schema: note, first: { text: '' } });
  expect(open).toThrow(/^the first item of note is not valid: ./);
});
