import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../kube/object.ts';
import { eventLines } from './event-lines.ts';
import type { TreeNode } from './portrait.ts';

function event(fields: Readonly<Record<string, unknown>>): AnyObject {
  return { apiVersion: 'events.k8s.io/v1', kind: 'Event', metadata: { name: 'e', namespace: 'shop' }, ...fields };
}

const regarding = { kind: 'Thing', name: 'orders', uid: 'u1' };

describe('eventLines', () => {
  it('puts the newest first, by when each was last seen', () => {
    const first = event({ regarding, reason: 'A', note: 'a', eventTime: '2030-01-01T00:00:00.000000Z' });
    const again = event({
      regarding,
      reason: 'B',
      note: 'b',
      type: 'Warning',
      eventTime: '2029-12-31T00:00:00.000000Z',
      series: { count: 7, lastObservedTime: '2030-01-01T00:05:00.000000Z' },
    });
    expect(eventLines([first, again])).toEqual([
      { at: '2030-01-01T00:05:00.000000Z', reason: 'B', note: 'b', warning: true, about: 'Thing/orders', count: 7 },
      { at: '2030-01-01T00:00:00.000000Z', reason: 'A', note: 'a', warning: false, about: 'Thing/orders', count: 1 },
    ]);
    expect(eventLines([first, again], { limit: 1 })).toHaveLength(1);
  });

  it('reads events of the core group', () => {
    const old = event({
      involvedObject: { kind: 'Pod', name: 'orders-0' },
      message: 'pulled',
      count: 3,
      lastTimestamp: '2030-01-01T00:00:00Z',
    });
    expect(eventLines([old])[0]).toMatchObject({ about: 'Pod/orders-0', note: 'pulled', count: 3 });
  });

  it('tells of the object and of what it made, not of an object that had its name before', () => {
    const leaf: TreeNode = { kind: 'Pod', name: 'orders-0', phase: 'healthy', status: 'Running', children: [] };
    const tree: TreeNode = { ...leaf, kind: 'Thing', name: 'orders', children: [leaf] };
    const subject = { family: 'f', apiVersion: 'a/v1', kind: 'Thing', namespace: 'shop', name: 'orders', uid: 'u1' };
    const about = [
      regarding,
      { ...regarding, uid: 'before' },
      { kind: 'Pod', name: 'orders-0', uid: 'p' },
      { kind: 'Pod', name: 'other' },
    ].map((one) => event({ regarding: one }));
    const lines = eventLines(about, { portrait: { subject, tree } });
    expect(lines.map((line) => line.about)).toEqual(['Thing/orders', 'Pod/orders-0']);
  });

  it('takes whatever somebody wrote, and bounds it', () => {
    const hostile = [
      event({ regarding: 7, series: null, note: 'x'.repeat(70_000), eventTime: 'yesterday', count: -1 }),
      { metadata: null } as unknown as AnyObject,
    ];
    const lines = eventLines(hostile);
    expect(lines[0]?.note).toHaveLength(1024);
    expect(lines.map(({ about, at, count }) => [about, at, count])).toEqual([
      ['/', '', 1],
      ['/', '', 1],
    ]);
  });
});
