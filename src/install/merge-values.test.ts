import { describe, expect, it } from 'vitest';
import { layerValues, mergeValues } from './merge-values.ts';

describe('values over others', () => {
  it('merge maps and replace everything else', () => {
    const under = { a: { b: 1, c: [1, 2] }, d: 'x' };
    expect(mergeValues(under, { a: { c: [3] }, e: true })).toEqual({ a: { b: 1, c: [3] }, d: 'x', e: true });
    expect(mergeValues(under, { a: 1, d: { x: 2 } })).toEqual({ a: 1, d: { x: 2 } });
  });

  it('take a default away by a null, which stays until it meets the default', () => {
    const layered = layerValues({ a: { b: 1 } }, { a: { b: null } });
    expect(layered).toEqual({ a: { b: null } });
    expect(mergeValues({ a: { b: 2, c: 3 } }, layered)).toEqual({ a: { c: 3 } });
  });

  it('pollute nothing', () => {
    const merged = mergeValues({}, JSON.parse('{"__proto__": {"polluted": true}}'));
    expect(Object.keys(merged)).toEqual(['__proto__']);
    expect(({} as { readonly polluted?: boolean }).polluted).toBeUndefined();
  });
});
