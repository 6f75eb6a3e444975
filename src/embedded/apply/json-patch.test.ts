import { describe, expect, it } from 'vitest';
import { StatusError } from '../status-error.ts';
import { jsonPatch } from './json-patch.ts';

const object = Object.freeze({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', finalizers: ['x', 'y'] },
  data: Object.freeze({ a: '1', 'b/c': '2', 'd~e': '3' }),
});

const patched = (...operations: unknown[]): Record<string, unknown> => jsonPatch(object, operations);

function refusal(act: () => unknown): StatusError['status'] {
  try {
    act();
  } catch (error) {
    if (error instanceof StatusError) return error.status;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('jsonPatch', () => {
  it.each([
    ['adds a field', { op: 'add', path: '/data/z', value: '9' }, { a: '1', 'b/c': '2', 'd~e': '3', z: '9' }],
    ['replaces a field', { op: 'replace', path: '/data/a', value: '9' }, { a: '9', 'b/c': '2', 'd~e': '3' }],
    ['reads ~1 as a slash', { op: 'remove', path: '/data/b~1c' }, { a: '1', 'd~e': '3' }],
    ['reads ~0 as a tilde', { op: 'remove', path: '/data/d~0e' }, { a: '1', 'b/c': '2' }],
    ['copies', { op: 'copy', from: '/data/a', path: '/data/z' }, { a: '1', 'b/c': '2', 'd~e': '3', z: '1' }],
    ['moves', { op: 'move', from: '/data/a', path: '/data/z' }, { 'b/c': '2', 'd~e': '3', z: '1' }],
  ])('%s', (_, operation, data) => {
    expect(patched(operation).data).toEqual(data);
  });

  it.each([
    ['at the end with -', '/metadata/finalizers/-', ['x', 'y', 'new']],
    ['before an index', '/metadata/finalizers/0', ['new', 'x', 'y']],
    ['counting from the end', '/metadata/finalizers/-1', ['x', 'y', 'new']],
  ])('inserts into a list %s', (_, path, finalizers) => {
    expect(patched({ op: 'add', path, value: 'new' }).metadata).toEqual({ name: 'a', finalizers });
  });

  it('leaves the object it was given alone', () => {
    patched({ op: 'remove', path: '/metadata/finalizers/0' });
    expect(object.metadata.finalizers).toEqual(['x', 'y']);
  });

  it.each([
    ['a test that fails', { op: 'test', path: '/data/a', value: '9' }],
    ['removal of what is not there', { op: 'remove', path: '/data/zz' }],
    ['replacement of what is not there', { op: 'replace', path: '/data/zz', value: '1' }],
    ['a parent that is not there', { op: 'add', path: '/nope/a', value: '1' }],
    ['an index beyond the end', { op: 'add', path: '/metadata/finalizers/3', value: '1' }],
    ['an unknown operation', { op: 'frob', path: '/data/a' }],
    ['a missing path', { op: 'add', value: 1 }],
    ['an inherited property', { op: 'add', path: '/constructor/prototype/polluted', value: true }],
    ['an operation that is no object', 'remove'],
  ])('refuses %s', (_, operation) => {
    expect(refusal(() => patched(operation))).toMatchObject({
      code: 422,
      reason: 'Invalid',
      message: 'the server rejected our request due to an error in our request',
    });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('takes a test of a missing field against null as true', () => {
    expect(patched({ op: 'test', path: '/data/zz', value: null }).data).toEqual(object.data);
  });

  it('is all or nothing', () => {
    const add = { op: 'add', path: '/data/z', value: '1' };
    expect(refusal(() => patched(add, { op: 'test', path: '/data/z', value: '2' })).code).toBe(422);
  });

  it('refuses what is not a list of operations', () => {
    expect(refusal(() => jsonPatch(object, { op: 'test' }))).toMatchObject({
      code: 400,
      message: 'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
    });
  });

  it('refuses more than 10,000 operations', () => {
    const many = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/kind', value: 'ConfigMap' }));
    expect(refusal(() => jsonPatch(object, many))).toMatchObject({ code: 413, reason: 'RequestEntityTooLarge' });
  });

  it('refuses a patch that doubles a value over and over', () => {
    const start = { op: 'add', path: '/data/x', value: ['x'.repeat(1000)] };
    const double = { op: 'copy', from: '/data/x', path: '/data/x/0' };
    expect(refusal(() => patched(start, ...Array.from({ length: 40 }, () => double))).code).toBe(422);
  });

  it('sets __proto__ as a field like any other', () => {
    const out = patched({ op: 'add', path: '/data/__proto__', value: { polluted: true } });
    expect(Object.hasOwn(out.data as object, '__proto__')).toBe(true);
    expect((out.data as Record<string, unknown>).polluted).toBeUndefined();
  });
});
