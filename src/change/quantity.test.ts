import { describe, expect, it } from 'vitest';
import { sameQuantity } from './quantity.ts';

describe('sameQuantity', () => {
  it.each([
    ['1', 1],
    ['1', '1.0'],
    ['1', '1000m'],
    ['0.5', '500m'],
    ['.5', '5e-1'],
    ['1Gi', '1024Mi'],
    ['1.5Gi', '1536Mi'],
    ['1k', '1e3'],
    ['1G', '1000000000'],
    ['-1', '-1000m'],
    ['1E', '1000P'],
    ['1Ei', '1152921504606846976'],
    ['0', '0Gi'],
  ])('%s is %s', (left, right) => {
    expect(sameQuantity(left, right)).toBe(true);
    expect(sameQuantity(right, left)).toBe(true);
  });

  it.each([
    ['1Gi', '1G'],
    ['1', '-1'],
    ['9007199254740993', '9007199254740992'],
    ['1n', '1u'],
    ['1e3', '1e4'],
    ['1e99999999999', '1e99999999999'],
    ['', ''],
    ['.', '.'],
    ['1GB', '1GB'],
    ['a', 'a'],
    [null, null],
    [{}, {}],
    ['1'.repeat(200), '1'.repeat(200)],
  ])('%s is not known to be %s', (left, right) => {
    expect(sameQuantity(left, right)).toBe(false);
  });
});
