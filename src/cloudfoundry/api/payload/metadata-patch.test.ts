import { describe, expect, it } from 'vitest';
import { metadataPatch } from './metadata-patch.ts';

describe('metadata of a request', () => {
  it('becomes a patch', () => {
    expect(metadataPatch({ labels: { a: 'b', 'x.example/c': null }, annotations: { n: 'any text' } })).toEqual({
      metadata: { labels: { a: 'b', 'x.example/c': null }, annotations: { n: 'any text' } },
    });
  });

  it('may ask for nothing', () => {
    expect(metadataPatch(undefined)).toBeUndefined();
    expect(metadataPatch({ labels: {} })).toBeUndefined();
  });

  it.each([
    [{ labels: { 'korifi.cloudfoundry.org/app-guid': 'x' } }, /cannot use the cloudfoundry.org domain/],
    [{ annotations: { 'cutover.dev/deployment': '{}' } }, /cannot use the cutover.dev domain/],
    [{ labels: { 'cloudfoundry.org/x': null } }, /cannot use the cloudfoundry.org domain/],
    [{ labels: { 'a b': 'x' } }, /is not a valid key/],
    [{ labels: { 'a/b/c': 'x' } }, /is not a valid key/],
    [{ labels: { '': 'x' } }, /is not a valid key/],
    [{ labels: { a: 'not a value' } }, /is not a valid value/],
    [{ annotations: { a: 'x'.repeat(5001) } }, /is too long/],
  ])('is refused: %j', (change, why) => expect(() => metadataPatch(change)).toThrow(why));
});
