import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../../kube/object.ts';
import type { Around } from '../../portrait/workload.ts';
import { anInstance, aroundWith, atRest, aVersion, began, condition, planStatus } from './around.fixture.ts';
import { kudoWorkloads } from './kudo-workloads.ts';

const [workload] = kudoWorkloads;
if (!workload) throw new Error('the family has no workload');

/** Whatever may stand in a cluster where a field should be. */
const anything = fc.anything({ maxDepth: 3, withNullPrototype: false });
const names = fc.constantFrom('deploy', '__proto__', 'constructor', '', 'a\u001b[2Jb', '<b>x</b>', 'x'.repeat(70_000));

const running = atRest({
  execution: { uid: 'run-2', plan: 'deploy', cause: 'parameters', changed: ['LEVEL'], forced: true, startedAt: began },
  planStatus: { deploy: planStatus('COMPLETE', 'ERROR', 'no') },
  conditions: [condition('Waiting', 'True', 'PlanInProgress', 'waits')],
});

/** A valid object of which one field, somewhere, is anything. */
const damaged = fc
  .tuple(fc.constantFrom(anInstance(atRest()), anInstance(running)), fc.nat(), fc.oneof(anything, names))
  .map(([object, at, value]) => {
    const copy = structuredClone(object) as unknown as Record<string, unknown>;
    const ways = waysInto(copy);
    const way = ways[at % ways.length];
    if (way) way.in[way.key] = value;
    return copy as unknown as AnyObject;
  });

const odd = fc.record({ metadata: fc.constant({ name: 'x' }), spec: anything, status: anything }) as fc.Arbitrary<
  Record<string, unknown>
>;
const objects = fc.oneof(
  damaged,
  odd.map((one) => ({ apiVersion: 'kudo.dev/v1beta1', kind: 'Instance', ...one }) as unknown as AnyObject),
);

function waysInto(value: unknown): { in: Record<string, unknown>; key: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  const here = value as Record<string, unknown>;
  return Object.keys(here).flatMap((key) => [{ in: here, key }, ...waysInto(here[key])]);
}

describe('an Instance of any shape', () => {
  const near = aroundWith(aVersion());

  it('has a summary and a portrait without a hole', () => {
    fc.assert(
      fc.property(objects, (object) => {
        const summary = workload.summarize(object);
        expect(summary.headline).not.toBe('');
        const portrait = workload.portray(object, near);
        for (const answer of Object.values(portrait.answers)) expect(answer).toMatch(/\S/);
        for (const time of timesIn(portrait)) expect(Date.parse(time)).not.toBeNaN();
        expect(JSON.stringify(portrait)).not.toContain('undefined');
      }),
      { numRuns: 300 },
    );
  });

  it('is told of, planned and steered whichever of its fields is missing or another', () => {
    const values = [undefined, null, 7, '', 'x', [], {}, [null], { a: null }];
    for (const whole of [anInstance(atRest()), anInstance(running)]) {
      for (const [at] of waysInto(whole).entries()) {
        for (const value of values) {
          const object = structuredClone(whole);
          const way = waysInto(object)[at];
          if (way) way.in[way.key] = value;
          const portrait = workload.portray(object, near);
          expect(JSON.stringify(portrait)).not.toMatch(/undefined|NaN/);
          for (const verb of workload.verbs) verb.request(object, near, { id: 'x' });
          if (value === undefined) workload.plan({ before: object, after: whole }, near);
        }
      }
    }
  });

  it('can be planned, steered and drawn', () => {
    fc.assert(
      fc.property(objects, objects, (before, after) => {
        expect(workload.plan({ before, after }, near).line).not.toBe('');
        expect(workload.plan({ after }, near).line).not.toBe('');
        for (const verb of workload.verbs) {
          const steering = verb.request(before, near, { id: 'x' });
          if (steering.is === 'refused') expect(steering.why).not.toBe('');
          else expect(steering.said).not.toBe('');
        }
        workload.graph?.(before, near);
        workload.claims(before, near);
      }),
      { numRuns: 100 },
    );
  });

  it('is told of also where nothing around it can be read', () => {
    const blind: Around = { now: 0, list: () => undefined, find: () => 'unknown' };
    fc.assert(
      fc.property(objects, (object) => {
        workload.portray(object, blind);
        workload.plan({ before: object, after: object }, blind);
        for (const verb of workload.verbs) verb.request(object, blind, { id: 'x' });
      }),
      { numRuns: 100 },
    );
  });
});

/** Every text that stands where a time should be. */
function timesIn(value: unknown, key = ''): readonly string[] {
  if (typeof value === 'string') return /^(?:at|since|createdAt|startedAt|endedAt)$/.test(key) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => timesIn(one, name));
}
