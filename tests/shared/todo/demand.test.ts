import { describe, expect, it } from '@jest/globals';
import { demandOf } from '../../../shared/todo/demand.js';

const versions = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('a demand on an item', () => {
  it('names 100 versions at most, for DynamoDB takes no more, and its stand-in in the tests does', () => {
    expect(demandOf({ among: versions(100), except: versions(100) })).toHaveProperty('expression');
    expect(demandOf({ among: versions(101), except: versions(1) })).toBeUndefined();
    expect(demandOf({ except: versions(101) })).toBeUndefined();
  });
});
