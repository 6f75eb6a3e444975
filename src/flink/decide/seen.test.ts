import { describe, expect, it } from 'vitest';
import type { FlinkDeployment } from '../resources/flink-deployment.ts';
import type { JobState } from '../resources/job-status.ts';
import type { JobTold } from '../rest.ts';
import { canonicalJob, canonicalView } from './canonical-view.ts';
import { decideDeployment } from './deployment.ts';

const trace = 'a.Outer: it broke\n\tat a.B.c(B.java:1)\nCaused by: a.Inner: no disk\n\tat a.D.e(D.java:2)\n';

/** What `status.error` says of a job that failed with this trace. */
function errorOf(settings: Readonly<Record<string, string>> = {}): unknown {
  const view = canonicalView({ flink: 'FAILED' }, (spec) => spec);
  const failure: JobTold['failure'] = { at: view.now, value: { summary: 'it broke: no disk', stack: trace } };
  const decision = decideDeployment({
    ...view,
    resource: { ...view.resource, metadata: { ...view.resource.metadata, generation: 1 } },
    operator: { ...view.operator, settings },
    rest: { ...view.rest, job: { ...view.rest.job, failure } },
  });
  const written = decision.actions.map((action) => ('status' in action ? action.status : undefined)).find(Boolean);
  return JSON.parse((written as { readonly error: string }).error);
}

describe('a failed job', () => {
  it('says in status.error what broke and what caused it', () => {
    expect(errorOf()).toEqual({
      type: 'org.apache.flink.util.SerializedThrowable',
      message: 'it broke: no disk',
      additionalMetadata: {},
      throwableList: [{ type: 'a.Inner', message: 'no disk', additionalMetadata: {} }],
    });
  });

  it('shows its stack trace when the operator is told to', () => {
    expect(errorOf({ 'kubernetes.operator.exception.stacktrace.enabled': 'true' })).toMatchObject({
      stackTrace: trace,
    });
  });
});

describe('a job that Flink calls RUNNING while its tasks are starting', () => {
  /** The decision about such a job, which was in another state before. */
  function decided(before: JobState) {
    const view = canonicalView({ status: { jobStatus: canonicalJob(before) } }, (spec) => spec);
    const jobs = view.rest.jobs?.value.map((job) => ({ ...job, starting: true as const })) ?? [];
    const { resource } = view;
    return decideDeployment({
      ...view,
      resource: {
        ...resource,
        metadata: { ...resource.metadata, generation: 1 },
        status: { ...resource.status, reconciliationStatus: recordOf(resource) },
      },
      rest: { ...view.rest, jobs: { at: view.now, value: jobs } },
    });
  }

  /** Deployed, and not yet known to be good. */
  function recordOf({ status }: FlinkDeployment) {
    const { lastStableSpec: _, ...record } = status?.reconciliationStatus ?? {};
    return record;
  }

  it('is created, and not stable', () => {
    const [written] = decided('INITIALIZING').actions.flatMap((action) => ('status' in action ? [action.status] : []));
    expect(written).toMatchObject({ jobStatus: { state: 'CREATED' }, lifecycleState: 'DEPLOYED' });
    expect(written).not.toHaveProperty('reconciliationStatus.lastStableSpec');
  });

  it('runs on when only a task of it starts again', () => {
    const [written] = decided('RUNNING').actions.flatMap((action) => ('status' in action ? [action.status] : []));
    expect(written).toMatchObject({ jobStatus: { state: 'RUNNING' }, lifecycleState: 'STABLE' });
  });
});
