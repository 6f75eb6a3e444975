import { expect, it } from 'vitest';
import type { Condition } from '../../control/conditions.ts';
import type { Decision } from '../../control/decision.ts';
import type { JobOverview } from '../rest.ts';
import type { DeploymentView } from '../view.ts';
import { canonicalJob, canonicalView } from './canonical-view.ts';
import { decideDeployment } from './deployment.ts';

const minute = 60_000;

/** A job that was deployed so long ago, whose tasks do not run. */
function starting(ageMs: number, tasks: Partial<JobOverview>, told: readonly Condition[] = []): DeploymentView {
  const view = canonicalView({ status: { jobStatus: canonicalJob('CREATED') } }, (spec) => spec);
  const { resource, rest, now } = view;
  const since = new Date(now - ageMs).toISOString();
  const running = {
    type: 'Running',
    status: 'False',
    reason: 'Created',
    message: '',
    lastTransitionTime: since,
  } as const;
  const { lastStableSpec: _, ...record } = resource.status?.reconciliationStatus ?? {};
  return {
    ...view,
    resource: {
      ...resource,
      metadata: { ...resource.metadata, generation: 1 },
      status: {
        ...resource.status,
        conditions: [running, ...told],
        reconciliationStatus: { ...record, reconciliationTimestamp: now - ageMs },
      },
    },
    rest: { ...rest, jobs: { at: now, value: (rest.jobs?.value ?? []).map((job) => ({ ...job, ...tasks })) } },
  };
}

const waiting = { starting: true, waiting: true } as const;

function stalled({ actions }: Decision): Condition | undefined {
  const status = actions.find((action) => action.do === 'status')?.status as
    | { readonly conditions?: readonly Condition[] }
    | undefined;
  return status?.conditions?.find(({ type }) => type === 'Stalled');
}

const events = ({ actions }: Decision): readonly string[] =>
  actions.flatMap((action) => (action.do === 'event' ? [action.reason] : []));

it('tells once, after the readiness timeout, that a job has too few TaskManagers, and what they are made from', () => {
  const early = decideDeployment(starting(4 * minute, waiting));
  expect(stalled(early)).toBeUndefined();
  expect(early.wakeAt).toBe(starting(0, waiting).now + minute);
  const late = decideDeployment(starting(5 * minute, waiting));
  expect(stalled(late)).toMatchObject({ reason: 'SlowStart', message: expect.stringContaining('spec.taskManager') });
  expect(events(late)).toEqual(['SlowStart']);
  const condition = stalled(late);
  expect(condition).toBeDefined();
  expect(events(decideDeployment(starting(9 * minute, waiting, condition ? [condition] : [])))).toEqual([]);
});

it('leaves a job alone that has its slots and restores state, however long that takes', () => {
  expect(stalled(decideDeployment(starting(90 * minute, { starting: true })))).toBeUndefined();
});

it('counts from when the job stopped running, not from its deployment', () => {
  const view = starting(minute, waiting);
  const { resource, now } = view;
  const old = { ...resource.status?.reconciliationStatus, reconciliationTimestamp: now - 900 * minute };
  const aged = { ...view, resource: { ...resource, status: { ...resource.status, reconciliationStatus: old } } };
  expect(stalled(decideDeployment(aged))).toBeUndefined();
});

it('tells that no pod of the JobManager becomes ready, or that its REST API does not answer', () => {
  const view = starting(6 * minute, waiting);
  const jobManager = view.cluster.jobManager && { ...view.cluster.jobManager, available: 0 };
  const none = decideDeployment({ ...view, cluster: { ...view.cluster, jobManager } });
  expect(stalled(none)).toMatchObject({ reason: 'SlowStart', message: expect.stringContaining('spec.jobManager') });
  const trouble = { kind: 'unreachable', message: 'no answer', since: view.now - 6 * minute, at: view.now } as const;
  const silent = decideDeployment({ ...view, rest: { ...view.rest, jobs: undefined, trouble } });
  expect(stalled(silent)).toMatchObject({ reason: 'SlowStart', message: expect.stringContaining('REST API') });
});
