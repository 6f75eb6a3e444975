import { describe, expect, it } from 'vitest';
import type { AnyObject, ObjectMeta } from '../../../kube/object.ts';
import { labels } from '../../keys.ts';
import { placeOf } from '../../render/place.fixture.ts';
import { refOf, thingId } from '../view.ts';
import { runDelete } from './delete.ts';

const map = (metadata: ObjectMeta = {}): AnyObject => {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'extra', ...metadata } };
};
const owner = (uid: string): ObjectMeta => {
  return { ownerReferences: [{ apiVersion: 'kudo.dev/v1beta1', kind: 'Instance', name: 'st', uid, controller: true }] };
};

/** What a task that deletes the ConfigMap does about the one that is there. */
function deleted(live?: ObjectMeta, holder?: string) {
  const object = live && map({ namespace: 'here', uid: 'map-uid', resourceVersion: '1', ...live });
  const world = {
    [thingId(refOf(map()))]: {
      is: 'known',
      namespaced: true,
      watched: true,
      ...(object && { object }),
      ...(holder && { holder }),
    } as const,
  };
  const around = { world, outcomes: {}, now: 0, restarting: { executionUid: 'execution-1' } };
  return runDelete({ name: 'remove', place: placeOf(), does: 'delete', objects: [map()], warnings: [] }, around);
}

describe('a task that deletes an object', () => {
  it.each([
    ['that the Instance owns', owner('instance-uid')],
    ['that has its labels', { labels: { [labels.instance]: 'st' } }],
  ])('deletes one %s', (_, live) => {
    expect(deleted(live)).toMatchObject({
      is: 'working',
      actions: [{ do: 'delete', of: { name: 'extra', uid: 'map-uid' }, propagation: 'Foreground' }],
    });
  });

  it.each([
    ['a stranger', {}],
    ['another Instance', { ...owner('other-uid'), labels: { [labels.instance]: 'other' } }],
  ])('leaves one of %s alone, and says so', (_, live) => {
    expect(deleted(live)).toMatchObject({
      is: 'done',
      actions: [],
      warnings: ['ConfigMap extra does not belong to this Instance and was not deleted'],
    });
  });

  it('leaves one of the cluster alone that another Instance holds, whatever its labels say', () => {
    expect(deleted({ labels: { [labels.instance]: 'st' } }, 'there/st')).toMatchObject({ is: 'done', actions: [] });
  });

  it('is done when there is none', () => {
    expect(deleted()).toMatchObject({ is: 'done', actions: [], warnings: [] });
  });
});
