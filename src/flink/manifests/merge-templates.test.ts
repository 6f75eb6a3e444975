import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeTemplates } from './merge-templates.ts';

describe('merging templates', () => {
  it('lays objects over each other key by key', () => {
    const common = { metadata: { labels: { a: '1', b: '1' } }, spec: { hostname: 'x' } };
    expect(mergeTemplates(common, { metadata: { labels: { b: '2' } } }, false)).toEqual({
      metadata: { labels: { a: '1', b: '2' } },
      spec: { hostname: 'x' },
    });
  });

  const env = [
    { name: 'A', value: 'common' },
    { name: 'B', value: 'common' },
  ];

  it('merges lists by position', () => {
    expect(mergeTemplates({ env }, { env: [{ name: 'C', value: 'own' }] }, false)).toEqual({
      env: [
        { name: 'C', value: 'own' },
        { name: 'B', value: 'common' },
      ],
    });
  });

  it('merges lists by name, new elements last', () => {
    const own = [
      { name: 'C', value: 'own' },
      { name: 'B', value: 'own' },
    ];
    expect(mergeTemplates({ env }, { env: own }, true)).toEqual({
      env: [
        { name: 'A', value: 'common' },
        { name: 'B', value: 'own' },
        { name: 'C', value: 'own' },
      ],
    });
  });

  it('merges lists without names by position in either case', () => {
    expect(mergeTemplates([{ key: 'a', operator: 'Exists' }], [{ key: 'b' }], true)).toEqual([
      { key: 'b', operator: 'Exists' },
    ]);
  });

  it('keeps both mounts of one volume', () => {
    const mounts = [
      { name: 'v', mountPath: '/a' },
      { name: 'v', mountPath: '/b' },
    ];
    expect(mergeTemplates([], mounts, true)).toEqual(mounts);
    expect(mergeTemplates([{ name: 'v', mountPath: '/c', readOnly: true }], mounts, true)).toEqual([
      { name: 'v', mountPath: '/a', readOnly: true },
      { name: 'v', mountPath: '/b' },
    ]);
  });

  it('reaches no prototype', () => {
    const hostile = JSON.parse('{"__proto__": {"polluted": true}}');
    expect(JSON.stringify(mergeTemplates({ a: 1 }, hostile, true))).toBe('{"a":1,"__proto__":{"polluted":true}}');
    expect('polluted' in {}).toBe(false);
  });

  it('holds these laws, by name and by position', () => {
    const template = fc.jsonValue({ maxDepth: 4 }).filter((value) => value !== null);
    fc.assert(
      fc.property(template, template, template, fc.boolean(), (a, b, c, byName) => {
        const merge = (x: unknown, y: unknown) => mergeTemplates(x, y, byName);
        expect(merge(a, undefined)).toEqual(a);
        expect(merge(undefined, a)).toEqual(a);
        expect(merge(merge(a, b), b)).toEqual(merge(a, b));
        if ([a, b, c].every((one) => typeof one === 'object' && !Array.isArray(one))) {
          expect(Object.keys(merge(a, b) as object).sort()).toEqual(
            [...new Set([...Object.keys(a), ...Object.keys(b)])].sort(),
          );
        }
      }),
    );
  });
});
