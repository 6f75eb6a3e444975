import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../kube/object.ts';
import { type Circumstances, type Custody, custody } from './custody.ts';
import type { StatusAction } from './decision.ts';

const now = Date.UTC(2030, 0, 1, 12);
const alone: Circumstances = {
  foreignLease: undefined,
  foreignManagers: ['other-operator'],
  quietMs: 600_000,
  takeover: false,
  prunedFields: [],
};

const lamp = (metadata: object = {}, status: object = {}): AnyObject => ({
  apiVersion: 'v1',
  kind: 'Lamp',
  metadata: { name: 'l', uid: 'u', resourceVersion: '1', generation: 3, ...metadata },
  status,
});

const wrote = (manager: string, agoMs: number): object => ({
  managedFields: [{ manager, time: new Date(now - agoMs).toISOString() }],
});

const conditions = (custody: Custody | undefined): unknown =>
  (custody?.decision.actions[0] as StatusAction | undefined)?.status.conditions;

describe('custody', () => {
  it('has nothing to say about an object of ours', () => {
    expect(custody(lamp(), alone, now)).toBeUndefined();
    expect(custody(lamp(wrote('other-operator', 600_000)), alone, now)).toBeUndefined();
    expect(custody(lamp(wrote('kubectl-edit', 0)), alone, now)).toBeUndefined();
    expect(custody(lamp({ annotations: { 'cutover.dev/paused': 'false' } }), alone, now)).toBeUndefined();
  });

  it.each<[string, AnyObject, Partial<Circumstances>, string, string]>([
    ['is paused', lamp({ annotations: { 'cutover.dev/paused': '' } }), {}, 'Paused', 'PausedByAnnotation'],
    [
      'was written by another controller',
      lamp(wrote('other-operator', 1000)),
      {},
      'ManagedElsewhere',
      'RecentForeignWrite',
    ],
    ['has another controller alive', lamp(), { foreignLease: 'ns/lease' }, 'ManagedElsewhere', 'LeaseAlive'],
    ['would lose fields', lamp(), { prunedFields: ['status.transition'] }, 'SchemaOutdated', 'FieldsWouldBeDropped'],
  ])('leaves alone, visibly, what %s', (_what, object, more, type, reason) => {
    const held = custody({ ...object, status: { phase: 'Dark' } }, { ...alone, ...more }, now);
    expect(held?.aside).toBe(type);
    expect(held?.decision.actions).toHaveLength(1);
    expect(held?.decision.actions[0]).toMatchObject({ do: 'status', status: { phase: 'Dark' } });
    expect(conditions(held)).toMatchObject([{ type, reason, status: 'True', observedGeneration: 3 }]);
  });

  it('says so once, and looks again when the other one has been quiet long enough', () => {
    const object = lamp(wrote('other-operator', 1000));
    const first = custody(object, alone, now);
    expect(first?.decision.wakeAt).toBe(now + 599_000);
    const second = custody({ ...object, status: { conditions: conditions(first) } }, alone, now + 5000);
    expect(second?.decision).toMatchObject({ actions: [], wakeAt: now + 599_000 });
  });

  it('takes over from one who is quiet but not from one who is alive', () => {
    const asked = lamp({ ...wrote('other-operator', 0), annotations: { 'cutover.dev/takeover': 'true' } });
    expect(custody(asked, alone, now)).toBeUndefined();
    expect(custody(lamp(wrote('other-operator', 0)), { ...alone, takeover: true }, now)).toBeUndefined();
    expect(custody(asked, { ...alone, foreignLease: 'ns/lease', takeover: true }, now)).toBeDefined();
  });

  it('removes its own condition, and no other, when it no longer stands aside', () => {
    const theirs = { type: 'Ready', status: 'True', lastTransitionTime: 't', reason: 'r', message: 'm' };
    const paused = { ...theirs, type: 'Paused' };
    const held = custody(lamp({}, { conditions: [theirs, paused] }), alone, now);
    expect(held?.aside).toBeUndefined();
    expect(conditions(held)).toEqual([theirs]);
  });

  it('names at most a few of the fields that would be dropped', () => {
    const prunedFields = ['a', 'b', 'c', 'd', 'e', 'f'];
    expect(custody(lamp(), { ...alone, prunedFields }, now)?.decision.because).toContain('(a, b, c, d, e …)');
  });
});
