import { describe, expect, it } from '@jest/globals';
import { resource } from '../../../shared/schema/resource.js';
import { aParcel, parcel } from '../../support/service/parcels.js';

describe('a resource', () => {
  it('has all members of its first item, also those that take their default, or no first item', () => {
    const declared = { name: 'parcel', schema: parcel };
    expect(resource({ ...declared, first: { label: 'first' } }).first).toEqual(aParcel({ label: 'first' }));
    expect(resource(declared)).toEqual(declared);
  });

  it('names each wrong member of its first item', () => {
    const declare = () => resource({ name: 'parcel', schema: parcel, first: { label: '', pieces: 9 } });
    expect(declare).toThrow(/^The first item of parcel is not valid. #\/label: Must .* #\/pieces: Must be an integer/);
  });
});
