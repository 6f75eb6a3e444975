import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJsonPath } from './json-path.ts';

const root = {
  kind: 'Gizmo',
  metadata: { labels: { 'app.kubernetes.io/name': 'thing', plain: 'p' } },
  spec: {
    list: ['a', 'b', 'c'],
    map: { x: 1, y: 2 },
    deep: { leaf: 'l' },
    rows: [
      { a: 1, n: 1 },
      { a: 2, n: 2, b: true },
    ],
  },
  status: {
    conditions: [
      { type: 'Other', status: 'False' },
      { type: 'Ready', status: 'True' },
    ],
  },
};

describe('parseJsonPath', () => {
  it.each<[string, unknown[]]>([
    ['.kind', ['Gizmo']],
    ['{.kind}', ['Gizmo']],
    ['$.kind', ['Gizmo']],
    ['.spec.list', [['a', 'b', 'c']]],
    ['.spec.list[0]', ['a']],
    ['.spec.list[-1]', ['c']],
    ['.spec.list[9]', []],
    ['.spec.list[-9]', []],
    ['.spec.list[1:]', ['b', 'c']],
    ['.spec.list[-1:]', ['c']],
    ['.spec.list[0:3:2]', ['a', 'c']],
    ['.spec.list[0,2]', ['a', 'c']],
    ['.spec.list[*]', ['a', 'b', 'c']],
    ['.spec.map.*', [1, 2]],
    [".spec.map['x']", [1]],
    [".spec.map['x','y']", [1, 2]],
    ['.metadata.labels.app\\.kubernetes\\.io/name', ['thing']],
    [".metadata.labels['app\\.kubernetes\\.io/name']", ['thing']],
    [".metadata.labels['app.kubernetes.io/name']", []],
    ['.status.conditions[?(@.type=="Ready")].status', ['True']],
    [".status.conditions[?(@.type == 'Ready')].status", ['True']],
    ['.status.conditions[?(@.type!="Ready")].status', ['False']],
    ['.spec.rows[?(@.b)].a', [2]],
    ['.spec.rows[?(@.n>1)].a', [2]],
    ['.spec.rows[?(@.n<=1)].a', [1]],
    ['.spec.rows[?(@.b==true)].a', [2]],
    ['..leaf', ['l']],
    ['.no.such.thing', []],
    ['.kind.length', []],
    ['.spec.__proto__', []],
    ['.', [root]],
  ])('%s', (path, found) => expect(parseJsonPath(path)?.(root)).toEqual(found));

  it.each(['.a[', '.a[?(', '.a[?(@.b', '.a[x]', '.a]', '.a b', '[?(@.a=)]'])('refuses %s', (path) =>
    expect(parseJsonPath(path)).toBeUndefined(),
  );

  it('never throws, whatever the text and the value', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'.[]*?()@$=<>!\'"ab01:,\\ -') }),
        fc.jsonValue(),
        (text, value) => {
          parseJsonPath(text)?.(value);
        },
      ),
    );
  });
});
