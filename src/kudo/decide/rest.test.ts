import { describe, expect, it } from 'vitest';
import type { InstanceStatus, PastExecution } from '../resources/instance.ts';
import type { OperatorVersion } from '../resources/operator-version.ts';
import { rest } from './rest.ts';
import type { InstanceView } from './view.ts';

const view = {
  instance: { metadata: { name: 'one', namespace: 'default', uid: 'u' }, spec: {} },
  versions: {},
  belongings: { applied: {}, workloads: [] },
  now: Date.parse('2026-11-01T10:00:00Z'),
} as unknown as InstanceView;

const past = (outcome: PastExecution['outcome'], message?: string): PastExecution => ({
  uid: 'u',
  plan: 'deploy',
  cause: 'install',
  forced: true,
  startedAt: '2026-11-01T09:00:00Z',
  endedAt: '2026-11-01T09:30:00Z',
  outcome,
  ...(message !== undefined && { message }),
});

const ready = (status: InstanceStatus, belongings = view.belongings): string => {
  const accepted = { operatorVersion: { name: 'v' }, parameters: {} };
  const found = rest({ accepted, ...status }, { ...view, belongings }).conditions.find(({ type }) => type === 'Ready');
  return `${found?.status} ${found?.reason} ${found?.message}`;
};

describe('an Instance without a running plan', () => {
  it.each([
    ['failed', { history: [past('FATAL_ERROR', 'no such template')] }, 'PlanInFatalError', 'no such template'],
    ['was cancelled', { history: [past('CANCELED', 'blanked')] }, 'PlanCanceled', 'blanked'],
    [
      'failed under KUDO',
      { planStatus: { deploy: { status: 'FATAL_ERROR', message: 'broken' }, update: { status: 'NEVER_RUN' } } },
      'PlanInFatalError',
      'broken',
    ],
  ])('is not known to be ready when its installation %s, however healthy what is there', (_, status, reason, why) => {
    expect(ready(status)).toBe(`Unknown ${reason} plan deploy did not complete: ${why}`);
  });

  it.each([
    ['history', { history: [past('FATAL_ERROR'), past('COMPLETE')] }],
    ['plans', { history: [past('CANCELED')], planStatus: { update: { status: 'COMPLETE' } } }],
  ])('is judged by its resources once a plan has completed, by its %s', (_, status) => {
    expect(ready(status)).toBe('True ResourcesReady ');
  });

  it('is not known to be ready while some of its resources may not be seen, but known not to be', () => {
    const complete = { history: [past('COMPLETE')] };
    const belongings = { ...view.belongings, unreadable: ['pods'] };
    expect(ready(complete, belongings)).toBe(
      'Unknown ResourcesNotReadable pods cannot be watched: it is not permitted',
    );
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, status: { phase: 'Pending' } };
    expect(ready(complete, { ...belongings, workloads: [pod] })).toMatch(/^False ResourceNotReady /);
  });
});

describe('a change that was not carried out', () => {
  const step = (task: string): object => ({ phases: [{ name: 'p', steps: [{ name: 's', tasks: [task] }] }] });
  const version = {
    metadata: { name: 'v' },
    spec: {
      tasks: [
        { name: 'all', kind: 'Apply', spec: { resources: ['nodes.yaml', 'config.yaml'] } },
        { name: 'job', kind: 'Apply', spec: { resources: ['job.yaml'] } },
      ],
      plans: { deploy: step('all'), update: step('all'), backup: step('job') },
    },
  } as unknown as OperatorVersion;
  const ran = (plan: string, outcome: PastExecution['outcome'], cause: PastExecution['cause']): PastExecution => ({
    ...past(outcome, outcome === 'COMPLETE' ? undefined : 'why'),
    plan,
    cause,
  });
  const stalled = (...history: PastExecution[]): string | undefined => {
    const accepted = { operatorVersion: { name: 'v' }, parameters: {} };
    const { conditions } = rest({ accepted, history }, { ...view, versions: { accepted: version } });
    const found = conditions.find(({ type }) => type === 'Stalled');
    return found && `${found.reason}: ${found.message}`;
  };
  const backup = ran('backup', 'COMPLETE', 'trigger');

  it.each([
    ['failed', 'FATAL_ERROR', 'PlanInFatalError: plan deploy failed: why'],
    ['had to give way', 'SUPERSEDED', 'PlanSuperseded: plan deploy did not complete: why; run it again'],
  ] as const)('is told of though another plan has completed since it %s', (_, outcome, told) => {
    expect(stalled(backup, ran('deploy', outcome, 'parameters'))).toBe(told);
    expect(stalled(ran('backup', 'COMPLETE', 'parameters'), ran('deploy', outcome, 'upgrade'))).toBe(told);
  });

  it.each(['FATAL_ERROR', 'SUPERSEDED'] as const)(
    'is forgotten when a plan completes that applies it: %s',
    (outcome) => {
      const update = ran('update', 'COMPLETE', 'trigger');
      expect(stalled(backup, update, ran('deploy', outcome, 'parameters'))).toBeUndefined();
    },
  );

  it('is not told of if somebody cancelled it, or if it was no change', () => {
    expect(stalled(backup, ran('deploy', 'CANCELED', 'parameters'))).toBeUndefined();
    expect(stalled(backup, ran('deploy', 'SUPERSEDED', 'trigger'))).toBeUndefined();
  });
});
