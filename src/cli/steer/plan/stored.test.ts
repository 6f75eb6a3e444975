import { describe, expect, it } from 'vitest';
import { readManifest, readPatch } from './manifest.ts';
import { threeWay } from './stored.ts';

describe('a manifest', () => {
  it('is read as YAML or JSON, one or many, lists taken apart', () => {
    const names = (text: string): readonly unknown[] => readManifest(text, 'it').map(({ metadata }) => metadata.name);
    expect(names('{"apiVersion":"v1","kind":"A","metadata":{"name":"a"}}')).toEqual(['a']);
    expect(
      names(
        '---\napiVersion: v1\nkind: A\nmetadata: {name: a}\n---\n---\napiVersion: v1\nkind: A\nmetadata: {name: b}\n',
      ),
    ).toEqual(['a', 'b']);
    expect(names('apiVersion: v1\nkind: List\nitems: [{apiVersion: v1, kind: A, metadata: {name: c}}]')).toEqual(['c']);
  });

  it.each([
    ['', 'it holds no object'],
    ['a: [', 'it is not YAML: '],
    ['kind: A', 'it: each object needs an apiVersion, a kind and a metadata.name'],
    [
      'a: &a [1,1,1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]',
      'it cannot be read: ',
    ],
  ])('that is none is refused in one line: %j', (text, message) => {
    expect(() => readManifest(text, 'it')).toThrow(message);
  });

  it('as a patch is one object', () => {
    expect(readPatch('spec: {a: 1}')).toEqual({ spec: { a: 1 } });
    expect(() => readPatch('[1]')).toThrow('--patch must be one YAML or JSON object');
  });
});

describe('applying as kubectl does', () => {
  it('removes what was in the manifest before and no longer is, and nothing else', () => {
    const before = { spec: { a: 1, b: { c: 1, d: 2 }, list: [1, 2] } };
    const after = { spec: { b: { c: 3 }, list: [2], e: 4 } };
    expect(threeWay(before, after)).toEqual({ spec: { a: null, b: { d: null, c: 3 }, list: [2], e: 4 } });
    expect(threeWay('nonsense', after)).toEqual(after);
    expect(Object.hasOwn(threeWay({}, JSON.parse('{"__proto__":{"x":1}}')) as object, '__proto__')).toBe(true);
  });
});
