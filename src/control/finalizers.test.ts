import { applyPatch } from 'rfc6902';
import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../kube/object.ts';
import type { PatchAction } from './decision.ts';
import { addFinalizer, removeFinalizer } from './finalizers.ts';

const lamp = (metadata: Partial<KubeObject['metadata']>): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Lamp',
  metadata: { name: 'l', uid: 'u', resourceVersion: '7', ...metadata },
});

function patched(object: KubeObject, action: PatchAction | undefined): readonly string[] | undefined {
  const copy = structuredClone(object);
  const errors = applyPatch(copy, structuredClone(action?.patch ?? []) as Parameters<typeof applyPatch>[1]);
  expect(errors.filter(Boolean)).toEqual([]);
  return copy.metadata.finalizers;
}

describe('finalizers', () => {
  it('are added to none and to some, and never twice', () => {
    const none = lamp({});
    const some = lamp({ finalizers: ['other'] });
    expect(patched(none, addFinalizer(none, 'ours'))).toEqual(['ours']);
    expect(patched(some, addFinalizer(some, 'ours'))).toEqual(['other', 'ours']);
    expect(addFinalizer(lamp({ finalizers: ['ours'] }), 'ours')).toBeUndefined();
  });

  it('are not added to an object that is being deleted: the server would refuse', () => {
    expect(addFinalizer(lamp({ deletionTimestamp: '2030-01-01T00:00:00Z' }), 'ours')).toBeUndefined();
  });

  it('are removed by position only if they are still there', () => {
    const object = lamp({ finalizers: ['a', 'ours', 'b'] });
    expect(patched(object, removeFinalizer(object, 'ours'))).toEqual(['a', 'b']);
    expect(removeFinalizer(object, 'ours')?.patch[0]).toMatchObject({ op: 'test', value: 'ours' });
    expect(removeFinalizer(lamp({}), 'ours')).toBeUndefined();
  });
});
