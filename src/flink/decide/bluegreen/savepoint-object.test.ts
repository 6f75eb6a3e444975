import { describe, expect, it } from 'vitest';
import { exampleBlueGreen } from '../../manifests/blue-green.fixture.ts';
import { validateSnapshot } from '../../validate/snapshot.ts';
import { savepointName, savepointObject } from './savepoint-object.ts';

const wanted = (attempt: number) =>
  ({ resource: exampleBlueGreen(), child: 'counter-blue', attempt, format: 'CANONICAL' }) as const;

describe('a savepoint for a transition', () => {
  it('is of the side that serves, tried once, and outlives everybody', () => {
    const object = savepointObject(wanted(3));
    expect(object.metadata).toEqual({
      name: savepointName('counter', 'uid-1', 3),
      namespace: 'shop',
      labels: { 'cutover.dev/blue-green': 'counter', 'snapshot.trigger-type': 'MANUAL' },
      annotations: { 'cutover.dev/id': 'uid-1/3/savepoint' },
    });
    expect(object.spec).toEqual({
      jobReference: { kind: 'FlinkDeployment', name: 'counter-blue' },
      savepoint: { disposeOnDelete: false, formatType: 'CANONICAL' },
      backoffLimit: 0,
    });
    expect(validateSnapshot(object, { job: 'unknown' })).toEqual([]);
  });

  it('has another name for each attempt and each resource, and the same for the same', () => {
    const names = [
      savepointName('counter', 'uid-1', 1),
      savepointName('counter', 'uid-1', 2),
      savepointName('counter', 'uid-2', 1),
    ];
    expect(new Set(names).size).toBe(3);
    expect(names[0]).toMatch(/^counter-savepoint-[0-9a-f]{10}$/);
    expect(savepointObject(wanted(1))).toEqual(savepointObject(wanted(1)));
  });

  it('is found as the sides are, by the labels of the template', () => {
    const template = { metadata: { labels: { team: 'a', 'cutover.dev/blue-green': 'forged' } } };
    const { labels } = savepointObject({ ...wanted(1), resource: exampleBlueGreen({ template }) }).metadata;
    expect(labels).toMatchObject({ team: 'a', 'cutover.dev/blue-green': 'counter' });
  });
});
