import { applyPatch } from 'rfc6902';
import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../kube/object.ts';
import { type Furnishing, furnished } from './furnished.ts';

const bare: KubeObject = {
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name: 'a', namespace: 'space', uid: 'u-a', resourceVersion: '7' },
};
const owner: KubeObject = {
  apiVersion: 'v1',
  kind: 'Owner',
  metadata: { name: 'o', uid: 'u-o', resourceVersion: '1' },
};

const wanted: Furnishing = {
  labels: { guid: 'a', host: undefined },
  annotations: { rev: '0', version: 'v1' },
  finalizer: 'ours/finalizer',
  owner: { object: owner },
};

/** The object after its patch. */
function patched(object: KubeObject, furnishing: Furnishing): KubeObject {
  const action = furnished(object, furnishing);
  const after = structuredClone(object);
  if (action) expect(applyPatch(after, structuredClone(action.patch) as never).filter(Boolean)).toEqual([]);
  return after;
}

const given = (metadata: KubeObject['metadata']): KubeObject => ({
  ...bare,
  metadata: { ...bare.metadata, ...metadata },
});

describe('what an object must carry', () => {
  it('is given in one patch of the version that was seen, and then nothing is missing', () => {
    expect(furnished(bare, wanted)?.of).toMatchObject({ uid: 'u-a', resourceVersion: '7' });
    const after = patched(bare, wanted);
    expect(after.metadata).toMatchObject({
      labels: { guid: 'a' },
      annotations: { rev: '0', version: 'v1' },
      finalizers: ['ours/finalizer'],
      ownerReferences: [
        { apiVersion: 'v1', kind: 'Owner', name: 'o', uid: 'u-o', controller: true, blockOwnerDeletion: true },
      ],
    });
    expect(after.metadata.labels).not.toHaveProperty('host');
    expect(furnished(after, wanted)).toBeUndefined();
  });

  it('keeps what others put there', () => {
    const other = { apiVersion: 'v1', kind: 'Other', name: 'x', uid: 'u-x' };
    const before = given({
      labels: { mine: '1' },
      annotations: { mine: '2' },
      finalizers: ['foreign/finalizer'],
      ownerReferences: [other],
    });
    const { metadata } = patched(before, wanted);
    expect(metadata.labels).toEqual({ mine: '1', guid: 'a' });
    expect(metadata.annotations).toEqual({ mine: '2', rev: '0', version: 'v1' });
    expect(metadata.finalizers).toEqual(['foreign/finalizer', 'ours/finalizer']);
    expect(metadata.ownerReferences?.map(({ uid }) => uid)).toEqual(['u-x', 'u-o']);
  });

  it('puts right a label that says something else, and never an annotation', () => {
    const { metadata } = patched(given({ labels: { guid: 'b' }, annotations: { rev: '5' } }), wanted);
    expect(metadata.labels).toEqual({ guid: 'a' });
    expect(metadata.annotations).toEqual({ rev: '5', version: 'v1' });
  });

  it('takes off a label that should say nothing any more', () => {
    expect(patched(given({ labels: { host: 'www', mine: '1' } }), wanted).metadata.labels).toEqual({
      guid: 'a',
      mine: '1',
    });
  });

  it('is not written again for the order in which the server keeps it', () => {
    const { metadata } = patched(bare, wanted);
    const sorted = given({
      ...metadata,
      annotations: { a: '1', version: 'v1', rev: '0' },
      labels: { z: '', guid: 'a' },
    });
    expect(furnished(sorted, wanted)).toBeUndefined();
  });

  it('is no finalizer for an object that is being deleted: the server would refuse all of the patch', () => {
    const { metadata } = patched(given({ deletionTimestamp: '2026-01-01T00:00:00Z' }), wanted);
    expect(metadata.finalizers).toBeUndefined();
    expect(metadata.labels).toEqual({ guid: 'a' });
  });

  it('is an owner by its uid: one of the same name is another', () => {
    const before = given({ ownerReferences: [{ apiVersion: 'v1', kind: 'Owner', name: 'o', uid: 'u-before' }] });
    expect(patched(before, wanted).metadata.ownerReferences).toHaveLength(2);
  });

  it('does not hold up the deletion of its owner when told so', () => {
    const { metadata } = patched(bare, { owner: { object: owner, blocks: false } });
    expect(metadata.ownerReferences?.[0]?.blockOwnerDeletion).toBe(false);
  });

  it('leaves out a label that the server would refuse, and with it an old one that is no longer true', () => {
    const app = (name: string): Furnishing => ({ labels: { guid: 'a', app: name } });
    expect(patched(given({ labels: { app: 'old', own: 'x y' } }), app('Not A Name')).metadata.labels).toEqual({
      guid: 'a',
      own: 'x y',
    });
    expect(patched(bare, app('x'.repeat(64))).metadata.labels).toEqual({ guid: 'a' });
    expect(furnished(patched(bare, app('../x')), app('../x'))).toBeUndefined();
  });
});
