import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../kube/object.ts';
import { type Circumstances, type Custody, custody } from './custody.ts';
import type { StatusAction } from './decision.ts';

const now = Date.UTC(2030, 0, 1, 12);
const alone: Circumstances = {
  foreignLease: undefined,
  foreignManagers: ['other-operator'],
  manager: 'cutover',
  takeover: false,
  prunedFields: [],
};

const lamp = (metadata: object = {}, status: object = {}): AnyObject => ({
  apiVersion: 'v1',
  kind: 'Lamp',
  metadata: { name: 'l', uid: 'u', resourceVersion: '1', generation: 3, ...metadata },
  status,
});

/** Who wrote the status, and how long ago. */
const wrote = (...writers: readonly (readonly [manager: string, agoMs: number])[]): object => ({
  managedFields: writers.map(([manager, agoMs]) => ({
    manager,
    time: new Date(now - agoMs).toISOString(),
    subresource: 'status',
  })),
});

const conditions = (custody: Custody | undefined): unknown =>
  (custody?.decision.actions[0] as StatusAction | undefined)?.status.conditions;

describe('custody', () => {
  it('has nothing to say about an object of ours', () => {
    expect(custody(lamp(), alone, now)).toBeUndefined();
    expect(custody(lamp(wrote(['kubectl-edit', 0])), alone, now)).toBeUndefined();
    expect(custody(lamp(wrote(['other-operator', 1000], ['cutover', 500])), alone, now)).toBeUndefined();
    expect(custody(lamp(wrote(['other-operator', 1000], ['cutover', 1000])), alone, now)).toBeUndefined();
    expect(custody(lamp({ annotations: { 'cutover.dev/paused': 'false' } }), alone, now)).toBeUndefined();
  });

  it.each<[string, AnyObject, Partial<Circumstances>, string, string]>([
    ['is paused', lamp({ annotations: { 'cutover.dev/paused': '' } }), {}, 'Paused', 'PausedByAnnotation'],
    [
      'was written by another controller',
      lamp(wrote(['cutover', 2000], ['other-operator', 1000])),
      {},
      'ManagedElsewhere',
      'StatusKeptByAnother',
    ],
    ['has another controller alive', lamp(), { foreignLease: 'ns/lease' }, 'ManagedElsewhere', 'LeaseAlive'],
    ['cannot be judged', lamp({ namespace: 'b' }), { unreadable: ['pods'] }, 'NotReadable', 'Forbidden'],
    ['would lose fields', lamp(), { prunedFields: ['status.transition'] }, 'SchemaOutdated', 'FieldsWouldBeDropped'],
  ])('leaves alone, visibly, what %s', (_what, object, more, type, reason) => {
    const held = custody({ ...object, status: { phase: 'Dark' } }, { ...alone, ...more }, now);
    expect(held?.aside).toBe(type);
    expect(held?.decision.actions).toHaveLength(1);
    expect(held?.decision.actions[0]).toMatchObject({ do: 'status', status: { phase: 'Dark' } });
    expect(conditions(held)).toMatchObject([{ type, reason, status: 'True', observedGeneration: 3 }]);
  });

  it('says so once, in a name that does not make the object ours', () => {
    const object = lamp(wrote(['other-operator', 24 * 3_600_000]));
    const first = custody(object, alone, now);
    expect(first?.decision.actions).toMatchObject([{ do: 'status', manager: 'cutover-aside' }]);
    const told = lamp(wrote(['other-operator', 24 * 3_600_000], ['cutover-aside', 0]), {
      conditions: conditions(first),
    });
    expect(custody(told, alone, now + 5000)?.decision.actions).toEqual([]);
  });

  it('does not take a user who writes specs with the same library for a controller', () => {
    const [entry] = (wrote(['other-operator', 0]) as { managedFields: object[] }).managedFields;
    const { subresource: _status, ...spec } = entry as { subresource: string };
    expect(custody(lamp({ managedFields: [spec] }), alone, now)).toBeUndefined();
  });

  it('takes over when told to, but not from one who is alive', () => {
    const asked = lamp({ ...wrote(['other-operator', 0]), annotations: { 'cutover.dev/takeover': 'true' } });
    expect(custody(asked, alone, now)).toBeUndefined();
    expect(custody(lamp(wrote(['other-operator', 0])), { ...alone, takeover: true }, now)).toBeUndefined();
    expect(custody(asked, { ...alone, foreignLease: 'ns/lease', takeover: true }, now)).toBeDefined();
  });

  const minute = 60_000;
  const takenOver: readonly [string, object, Partial<Circumstances>][] = [
    ['by the flag', {}, { takeover: true }],
    ['by the annotation', { annotations: { 'cutover.dev/takeover': 'true' } }, {}],
  ];
  describe.each(takenOver)('after a takeover %s', (_how, metadata, more) => {
    const look = (...writers: readonly (readonly [string, number])[]) =>
      custody(lamp({ ...wrote(...writers), ...metadata }), { ...alone, ...more }, now);

    it('stands aside when the other one writes again, says who and what to do, and looks again later', () => {
      const held = look(['cutover', 2 * minute], ['other-operator', minute]);
      expect(held?.aside).toBe('ManagedElsewhere');
      expect(conditions(held)).toMatchObject([{ type: 'ManagedElsewhere', reason: 'WrittenByAnother' }]);
      expect(held?.decision.because).toMatch(/^other-operator has written .* Stop it for good/);
      expect(held?.decision.wakeAt).toBe(now + 4 * minute);
      expect(held?.decision.actions).toMatchObject([{ manager: 'cutover-aside' }]);
    });

    it('goes on when that has been silent for five minutes', () => {
      expect(look(['cutover', 9 * minute], ['other-operator', 5 * minute - 1])).toBeDefined();
      expect(look(['cutover', 9 * minute], ['other-operator', 5 * minute])).toBeUndefined();
    });

    it('acts at once on what it never wrote, and on what it wrote last, also within the same second', () => {
      expect(look(['other-operator', 0])).toBeUndefined();
      expect(look(['other-operator', 0], ['cutover-aside', minute])).toBeUndefined();
      expect(look(['other-operator', minute], ['cutover', minute])).toBeUndefined();
      expect(look(['other-operator', minute], ['cutover', 0])).toBeUndefined();
    });

    it('is woken within five minutes also by a clock that is far behind that of the server', () => {
      const held = look(['cutover', -90 * minute], ['other-operator', -100 * minute]);
      expect(held?.decision.wakeAt).toBe(now + 5 * minute);
    });
  });

  it('removes its own condition, and no other, when it no longer stands aside', () => {
    const theirs = { type: 'Ready', status: 'True', lastTransitionTime: 't', reason: 'r', message: 'm' };
    const paused = { ...theirs, type: 'Paused' };
    const held = custody(lamp({}, { conditions: [theirs, paused] }), alone, now);
    expect(held?.aside).toBeUndefined();
    expect(conditions(held)).toEqual([theirs]);
  });

  describe('beside objects that another controller keeps', () => {
    const beside = { ...alone, neighbour: { manager: 'other-operator', firstWordMs: 60_000 } };
    const made = (agoMs: number, metadata: object = {}): AnyObject =>
      lamp({ creationTimestamp: new Date(now - agoMs).toISOString(), ...metadata });

    it('leaves a new one to it for a while, says so by an event, and writes no status', () => {
      const held = custody(made(10_000), beside, now);
      expect(held?.aside).toBe('ManagedElsewhere');
      expect(held?.decision.actions).toMatchObject([{ do: 'event', reason: 'ManagedElsewhere' }]);
      expect(held?.decision.because).toMatch(/^other-operator keeps other objects of this kind/);
      expect(held?.decision.wakeAt).toBe(now + 50_000);
    });

    it.each<[string, AnyObject, Partial<Circumstances>]>([
      ['has been there for longer', made(60_000), {}],
      ['has no age', lamp(), {}],
      ['is from the future of a clock that is behind', made(-61_000), {}],
      ['was written by us', made(0, wrote(['cutover', 0])), {}],
      ['was made by us', made(0, { managedFields: [{ manager: 'cutover', operation: 'Update' }] }), {}],
      ['is to be taken over', made(0, { annotations: { 'cutover.dev/takeover': 'true' } }), {}],
      ['is of a kind that is taken over', made(0), { takeover: true }],
      ['has no such neighbour', made(0), { neighbour: undefined }],
    ])('takes at once what %s', (_what, object, more) => {
      expect(custody(object, { ...beside, ...more }, now)).toBeUndefined();
    });

    it('says nothing either about one of which it may not read all, until that while is over', () => {
      const blind = { ...beside, unreadable: ['pods'] };
      const held = custody(made(10_000), blind, now);
      expect(held?.decision).toMatchObject({ actions: [{ do: 'event' }], wakeAt: now + 50_000 });
      expect(custody(made(60_000), blind, now)?.aside).toBe('NotReadable');
    });

    it('does not take for its own what people make with its tools', () => {
      expect(
        custody(made(0, { managedFields: [{ manager: 'cutover-cli' }] }), beside, now)?.decision.wakeAt,
      ).toBeDefined();
    });

    it('stands aside as ever once the other one has written', () => {
      const held = custody(made(0, wrote(['other-operator', 0])), beside, now);
      expect(conditions(held)).toMatchObject([{ reason: 'StatusKeptByAnother' }]);
    });
  });

  it('names at most a few of the fields that would be dropped', () => {
    const prunedFields = ['a', 'b', 'c', 'd', 'e', 'f'];
    expect(custody(lamp(), { ...alone, prunedFields }, now)?.decision.because).toContain('(a, b, c, d, e …)');
  });
});
