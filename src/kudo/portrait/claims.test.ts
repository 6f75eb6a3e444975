import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../../kube/object.ts';
import { labels } from '../keys.ts';
import { aroundWith } from './around.fixture.ts';
import { claims } from './claims.ts';

const thing = (
  kind: string,
  name: string,
  owner?: readonly [kind: string, name: string, apiVersion?: string],
): AnyObject => ({
  apiVersion: 'v1',
  kind,
  metadata: {
    name,
    uid: `uid-${name}`,
    ...(owner && {
      ownerReferences: [
        { kind: owner[0], name: owner[1], uid: `uid-${owner[1]}`, apiVersion: owner[2] ?? 'apps/v1', controller: true },
      ],
    }),
  },
});

describe('the Instance that a pod runs for', () => {
  const set = thing('ReplicaSet', 'web-1', ['Deployment', 'web']);
  const deployment = thing('Deployment', 'web', ['Instance', 'db', 'kudo.dev/v1beta1']);
  const pod = thing('Pod', 'web-1-x', ['ReplicaSet', 'web-1']);

  it('is found through its owners', () => {
    expect(claims(pod, aroundWith(set, deployment))).toBe('db');
    expect(claims(thing('Pod', 'pipe', ['Instance', 'db', 'kudo.dev/v1beta1']), aroundWith())).toBe('db');
  });

  it('is found by its label where owners cannot be asked', () => {
    const labelled = { ...pod, metadata: { ...pod.metadata, labels: { heritage: 'kudo', [labels.instance]: 'db' } } };
    expect(claims(labelled, aroundWith())).toBe('db');
  });

  it('is none for pods of others', () => {
    expect(claims(pod, aroundWith(set, thing('Deployment', 'web')))).toBeUndefined();
    expect(claims(pod, aroundWith())).toBeUndefined();
    const other = thing('Deployment', 'web', ['Instance', 'db', 'example.com/v1']);
    expect(claims(pod, aroundWith(set, other))).toBeUndefined();
    const like = { ...pod, metadata: { ...pod.metadata, labels: { [labels.instance]: 'db' } } };
    expect(claims(like, aroundWith())).toBeUndefined();
  });

  it('is not that of a workload of the same name that is another', () => {
    const later = { ...deployment, metadata: { ...deployment.metadata, uid: 'another' } };
    expect(claims(pod, aroundWith(set, later))).toBeUndefined();
  });
});
