import { describe, expect, it } from 'vitest';
import type { AnyObject, OwnerReference } from '../../kube/object.ts';
import { controllerReference, otherController, ownership } from './owner.ts';
import { placeOf } from './place.fixture.ts';

const here = placeOf();
const owner = (more: Partial<OwnerReference>): OwnerReference => ({
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'Instance',
  name: here.instance.name,
  uid: 'another',
  ...more,
});
const live = (...ownerReferences: OwnerReference[]): AnyObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'config', ownerReferences },
});

describe('an object that is there already', () => {
  it('is ours if the Instance owns it', () => {
    expect(ownership(live(controllerReference(here)), here)).toBeUndefined();
  });

  it('is taken if nobody controls it, and keeps its other owners', () => {
    const value = [controllerReference(here)];
    expect(ownership(live(), here)).toEqual([{ op: 'add', path: '/metadata/ownerReferences', value }]);
    const other = owner({ kind: 'Backup', name: 'b' });
    expect(ownership(live(other), here)).toMatchObject([{ value: [other, ...value] }]);
  });

  it('is waited for if it goes with the Instance that had the name before', () => {
    const former = live(owner({ controller: true }));
    expect(otherController(here, former, former)).toBeUndefined();
    expect(ownership(former, here)).toBe('former');
  });
});
