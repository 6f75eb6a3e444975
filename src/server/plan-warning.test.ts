import { describe, expect, it } from 'vitest';
import { silent } from '../control/log.ts';
import type { Verdict } from '../control/webhooks/admission.ts';
import type { AdmissionRequest } from '../control/webhooks/admission-review.ts';
import type { AnyObject } from '../kube/object.ts';
import type { Plan } from '../portrait/plan.ts';
import type { Workload } from '../portrait/workload.ts';
import { withPlanWarnings } from './plan-warning.ts';

const boat = (speed: number, metadata: object = {}): AnyObject => ({
  apiVersion: 'toy/v1',
  kind: 'Boat',
  metadata: { namespace: 'north', name: 'erik', ...metadata },
  spec: { speed },
});

const request = (more: Partial<AdmissionRequest> = {}): AdmissionRequest => ({
  uid: '1',
  operation: 'UPDATE',
  kind: { group: 'toy', version: 'v1', kind: 'Boat' },
  namespace: 'north',
  name: 'erik',
  user: 'ann',
  dryRun: false,
  object: boat(2),
  oldObject: boat(1),
  ...more,
});

function setUp(
  plan: (edit: { before?: AnyObject; after: AnyObject }) => Partial<Plan>,
  verdict: Verdict = { allowed: true },
  monotonic: () => number = () => 0,
) {
  const clock = { now: () => 0, monotonic, after: () => () => undefined };
  let planned = 0;
  const workload = {
    type: { group: 'toy', version: 'v1', kind: 'Boat', plural: 'boats', namespaced: true },
    plan: (edit: { before?: AnyObject; after: AnyObject }) => {
      planned++;
      return { risk: 'restart', line: 'turns around', problems: [], ...plan(edit) };
    },
  } as unknown as Workload;
  const mutate = { mutate: ({ object }: { object: AnyObject }) => ({ allowed: true, object }) as const };
  const around = () => ({ now: 0, list: () => undefined, find: () => 'unknown' as const });
  const hooks = { '/v': { validate: () => verdict }, '/m': mutate };
  const wrapped = withPlanWarnings(hooks, { workloads: [workload], around, clock, log: silent });
  const hook = wrapped['/v'];
  const judge = async (asked: AdmissionRequest) => (hook && 'validate' in hook ? hook.validate(asked) : undefined);
  return { judge, mutates: wrapped['/m'] === mutate, planned: () => planned };
}

describe('withPlanWarnings', () => {
  it('adds what an accepted change will do, after what the hook warns of', async () => {
    const { judge, mutates } = setUp(() => ({}), { allowed: true, warnings: ['old'] });
    expect(await judge(request())).toEqual({ allowed: true, warnings: ['old', 'cutover (restart): turns around'] });
    expect(mutates).toBe(true);
  });

  it('plans a creation without a before', async () => {
    const { judge } = setUp(({ before }) => ({ line: before ? 'changes' : 'is made' }));
    const { oldObject: _, ...create } = request({ operation: 'CREATE' });
    expect(await judge(create)).toMatchObject({ warnings: ['cutover (restart): is made'] });
  });

  it('says nothing of what does nothing, is refused, is no workload, or goes', async () => {
    const quiet = { allowed: true };
    expect(await setUp(() => ({ risk: 'none' })).judge(request())).toEqual(quiet);
    expect(await setUp(() => ({ problems: [{ field: 'a', rule: 'b', message: 'c' }] })).judge(request())).toEqual(
      quiet,
    );
    const refused = { allowed: false, message: 'no' } as const;
    expect(await setUp(() => ({}), refused).judge(request())).toEqual(refused);
    const { judge, planned } = setUp(() => ({}));
    const { object: _, ...gone } = request({ operation: 'DELETE' });
    for (const other of [
      request({ subResource: 'status' }),
      request({ kind: { group: 'other', version: 'v1', kind: 'Boat' } }),
      request({ object: boat(2, { deletionTimestamp: '2030-01-01T00:00:00Z' }) }),
      gone,
    ]) {
      expect(await judge(other)).toEqual(quiet);
    }
    expect(planned()).toBe(0);
  });

  it('never changes the verdict: a plan that fails is left out', async () => {
    const { judge } = setUp(() => {
      throw new Error('bug');
    });
    expect(await judge(request())).toEqual({ allowed: true });
  });

  it('is short and fits into a header', async () => {
    const { judge } = setUp(() => ({ line: `blue → green\n"now"…\u0007 ${'é💥'.repeat(300)}` }));
    const verdict = (await judge(request())) ?? expect.fail('no verdict');
    expect(verdict.warnings?.[0]).toMatch(/^cutover \(restart\): blue -> green 'now'\.\.\.\? \?/);
    expect(verdict.warnings?.[0]).toMatch(/^[\x20-\x7e]{200}$/);
  });

  it('does not plan what is too large', async () => {
    const { judge, planned } = setUp(() => ({}));
    await judge(request({ object: { ...boat(2), spec: { list: Array(30_000).fill(1) } } }));
    expect(planned()).toBe(0);
  });

  it('rests after a plan that took long', async () => {
    let now = 0;
    const { judge, planned } = setUp(
      () => {
        now += 40;
        return {};
      },
      { allowed: true },
      () => now,
    );
    expect(await judge(request())).toMatchObject({ warnings: [expect.any(String)] });
    now = 399;
    expect(await judge(request())).toEqual({ allowed: true });
    now = 400;
    await judge(request());
    expect(planned()).toBe(2);
  });
});
