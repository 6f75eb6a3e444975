import { describe, expect, it } from 'vitest';
import type { OperatorVersion, Plan } from '../resources/operator-version.ts';
import { advanced, begun, isTerminal, type StepNews, stopped, withPlansOf } from './plan-status.ts';

const plan: Plan = {
  strategy: 'serial',
  phases: [
    { name: 'one', strategy: 'serial', steps: [{ name: 'a' }, { name: 'b' }] },
    { name: 'two', strategy: 'serial', steps: [{ name: 'c' }] },
  ],
};
const start = begun(plan, 'deploy', 'u-1', 'T0');
const said = (phase: string, step: string, status: StepNews['status'], message?: string): StepNews => ({
  phase,
  step,
  status,
  ...(message !== undefined && { message }),
});

/** `IN_PROGRESS one:IN_PROGRESS(a:COMPLETE b:PENDING) …` */
function shown({ status, phases }: typeof start): string {
  const parts = (phases ?? []).map(({ name, status: own, steps }) => {
    return `${name}:${own}(${(steps ?? []).map((step) => `${step.name}:${step.status}`).join(' ')})`;
  });
  return [status, ...parts].join(' ');
}

describe('the status of a plan', () => {
  it('begins with every step pending', () => {
    expect(shown(start)).toBe('IN_PROGRESS one:PENDING(a:PENDING b:PENDING) two:PENDING(c:PENDING)');
    expect(start).toMatchObject({ name: 'deploy', uid: 'u-1', lastUpdatedTimestamp: 'T0' });
  });

  it('follows its steps', () => {
    const first = advanced(start, plan, [said('one', 'a', 'IN_PROGRESS')], 'T1');
    expect(shown(first)).toBe('IN_PROGRESS one:IN_PROGRESS(a:IN_PROGRESS b:PENDING) two:PENDING(c:PENDING)');
    const second = advanced(first, plan, [said('one', 'a', 'COMPLETE')], 'T2');
    expect(shown(second)).toBe('IN_PROGRESS one:IN_PROGRESS(a:COMPLETE b:PENDING) two:PENDING(c:PENDING)');
    const all = advanced(second, plan, [said('one', 'b', 'COMPLETE'), said('two', 'c', 'COMPLETE')], 'T3');
    expect(shown(all)).toBe('COMPLETE one:COMPLETE(a:COMPLETE b:COMPLETE) two:COMPLETE(c:COMPLETE)');
    expect(all.lastUpdatedTimestamp).toBe('T3');
  });

  it('stays in progress while a step is tried again, and the message goes with the error', () => {
    const failing = advanced(start, plan, [said('one', 'a', 'ERROR', 'no')], 'T1');
    expect(shown(failing)).toContain('IN_PROGRESS one:IN_PROGRESS(a:ERROR');
    expect(failing.phases?.[0]?.steps?.[0]?.message).toBe('no');
    const better = advanced(failing, plan, [said('one', 'a', 'IN_PROGRESS')], 'T2');
    expect(better.phases?.[0]?.steps?.[0]).toEqual({ name: 'a', status: 'IN_PROGRESS' });
  });

  it('fails for good with one step', () => {
    const failed = advanced(start, plan, [said('one', 'a', 'FATAL_ERROR', 'no')], 'T1');
    expect(shown(failed)).toBe('FATAL_ERROR one:FATAL_ERROR(a:FATAL_ERROR b:PENDING) two:PENDING(c:PENDING)');
  });

  it('is the very same when nothing is new', () => {
    const first = advanced(start, plan, [said('one', 'a', 'IN_PROGRESS')], 'T1');
    expect(advanced(first, plan, [said('one', 'a', 'IN_PROGRESS')], 'T2')).toBe(first);
  });

  it('is complete at once when there is nothing to do', () => {
    expect(advanced(begun({}, 'empty', 'u', 'T0'), {}, [], 'T1').status).toBe('COMPLETE');
  });

  it('is over and not complete when it was stopped', () => {
    const half = advanced(start, plan, [said('one', 'a', 'COMPLETE'), said('one', 'b', 'ERROR', 'no')], 'T1');
    const ended = stopped(half, 'cancelled', 'T2');
    expect(shown(ended)).toBe('FATAL_ERROR one:PENDING(a:COMPLETE b:PENDING) two:PENDING(c:PENDING)');
    expect(ended).toMatchObject({ message: 'cancelled', lastUpdatedTimestamp: 'T2' });
  });

  it.each([
    ['COMPLETE', true],
    ['FATAL_ERROR', true],
    ['ERROR', false],
    ['IN_PROGRESS', false],
    [undefined, false],
  ])('%s is the end: %s', (status, ends) => {
    expect(isTerminal(status)).toBe(ends);
  });
});

describe('the statuses of all plans', () => {
  const version = {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'OperatorVersion',
    metadata: {},
    spec: { plans: { deploy: plan, backup: {} } },
  } as OperatorVersion;

  it('have those that never ran', () => {
    const statuses = withPlansOf(version);
    expect(Object.keys(statuses)).toEqual(['deploy', 'backup']);
    expect(shown(statuses.deploy ?? {})).toBe(
      'NEVER_RUN one:NEVER_RUN(a:NEVER_RUN b:NEVER_RUN) two:NEVER_RUN(c:NEVER_RUN)',
    );
    expect(statuses.backup).toEqual({ name: 'backup', status: 'NEVER_RUN', phases: [] });
  });

  it('keep what ran, take the order of the version, and add what is new', () => {
    const known = {
      name: 'deploy',
      status: 'COMPLETE',
      uid: 'u',
      phases: [{ name: 'two', status: 'COMPLETE', steps: [{ name: 'c', status: 'COMPLETE' }] }],
    };
    const statuses = withPlansOf(version, { deploy: known, gone: { name: 'gone', status: 'COMPLETE' } });
    expect(shown(statuses.deploy ?? {})).toBe(
      'COMPLETE one:NEVER_RUN(a:NEVER_RUN b:NEVER_RUN) two:COMPLETE(c:COMPLETE)',
    );
    expect(statuses.gone?.status).toBe('COMPLETE');
  });
});
