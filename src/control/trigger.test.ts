import { describe, expect, it } from 'vitest';
import type { KubeObject, ObjectMeta } from '../kube/object.ts';
import { laneOf } from './trigger.ts';

const lamp = (metadata: ObjectMeta = {}, status?: object): KubeObject => ({
  apiVersion: 'toy.cutover.dev/v1',
  kind: 'Lamp',
  metadata: { name: 'a', namespace: 'b', generation: 2, ...metadata },
  ...(status && { status }),
});
const first = (after: KubeObject) => laneOf({ key: 'b/a', after, initial: true });
const then = (change: { readonly before?: KubeObject; readonly after?: KubeObject }) =>
  laneOf({ key: 'b/a', initial: false, ...change });

describe('how urgent a change of the primary object is', () => {
  it.each([
    ['is as its status says', first(lamp({}, { observedGeneration: 2 })), 'resync'],
    ['was created while nobody was there', first(lamp()), 'change'],
    ['has a status that tells of no generation', first(lamp({}, { phase: 'Ready' })), 'resync'],
    ['was edited while nobody was there', first(lamp({}, { observedGeneration: 1 })), 'change'],
    ['was deleted while nobody was there', first(lamp({ deletionTimestamp: '2026-01-01T00:00:00Z' })), 'change'],
  ])('in the first list, for one that %s', (_, lane, expected) => {
    expect(lane).toBe(expected);
  });

  it.each([
    ['was created', then({ after: lamp() }), 'edit'],
    ['is gone', then({ before: lamp() }), 'edit'],
    ['has another spec', then({ before: lamp(), after: lamp({ generation: 3 }) }), 'edit'],
    ['has another annotation', then({ before: lamp(), after: lamp({ annotations: { a: 'b' } }) }), 'edit'],
    [
      'has another status',
      then({ before: lamp(), after: lamp({ resourceVersion: '7' }, { phase: 'Ready' }) }),
      'change',
    ],
  ])('after that, for one that %s', (_, lane, expected) => {
    expect(lane).toBe(expected);
  });
});
