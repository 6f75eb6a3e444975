import { expect, it } from 'vitest';
import { isRecentEnough } from './go.ts';

it.each([
  ['go1.26.0', true],
  ['go1.26.8', true],
  ['go1.27rc1', true],
  ['go2.0', true],
  ['go1.25.9', false],
  ['go1.19.8', false],
  ['devel +abc', false],
])('knows whether %s can build the rig', (version, expected) => {
  expect(isRecentEnough(version)).toBe(expected);
});
