import fc from 'fast-check';
import type { FlinkDeploymentSpec } from '../../resources/flink-deployment.ts';
import { jobStates } from '../../resources/job-status.ts';
import { causes, phases, restoreModes, suspendModes, type Transition } from '../../resources/transition.ts';
import type { Operation } from '../../rest.ts';
import type { DeploymentSeen, DeploymentView } from '../../view.ts';
import { canonicalJob, canonicalView } from '../canonical-view.ts';
import type { Status } from '../status.ts';

const base = canonicalView({}, (spec) => spec);
const { uid = '' } = base.resource.metadata;
const jobId = base.resource.status?.jobStatus?.jobId ?? '';
const callId = 'c'.repeat(32);

const maybe = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(of, { nil: undefined });
const nonce = maybe(fc.constantFrom(1, 2));
const path = fc.constantFrom('s3://a/chk-1', 's3://a/savepoint-1', 'KUBERNETES_OPERATOR_LAST_STATE');
const at = fc.constantFrom('2025-12-31T23:00:00.000Z', '2025-12-31T23:59:59.000Z', '2026-01-01T00:00:00.000Z', 'never');

/** Leaves out what is undefined, as JSON does. */
function present<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
}

const transition: fc.Arbitrary<Transition> = fc
  .record({
    cause: fc.constantFrom(...causes),
    phase: fc.constantFrom(...phases),
    startedAt: at,
    phaseStartedAt: at,
    mode: fc.constantFrom(...suspendModes),
    stopJob: maybe(fc.constant(jobId)),
    callId: maybe(fc.constant(callId)),
    askedAt: maybe(at),
    failures: maybe(fc.constantFrom(1, 6)),
    retryAt: maybe(at),
    restore: fc.constantFrom(...restoreModes),
    path: maybe(path),
    newJob: maybe(fc.constant('b'.repeat(32))),
    generation: fc.constantFrom(1, 2),
  })
  .map((t) => ({
    id: `${uid}-1`,
    cause: t.cause,
    because: 'Why not.',
    generation: t.generation,
    phase: t.phase,
    startedAt: t.startedAt,
    phaseStartedAt: t.phaseStartedAt,
    stop: present({
      mode: t.mode,
      jobId: t.stopJob,
      callId: t.callId,
      askedAt: t.askedAt,
      failures: t.failures,
      retryAt: t.retryAt,
    }),
    restore: present({ mode: t.restore, path: t.path }),
    ...(t.phase === 'starting' && t.newJob !== undefined && { jobId: t.newJob }),
  }));

const statuses: fc.Arbitrary<Status> = fc
  .record({
    state: maybe(fc.constantFrom(...jobStates)),
    seen: fc.boolean(),
    path: maybe(path),
    recorded: fc.constantFrom('running', 'suspended', 'none', 'garbage'),
    restore: fc.constantFrom(...restoreModes),
    stable: fc.boolean(),
    recon: fc.constantFrom('DEPLOYED' as const, 'UPGRADING' as const, 'ROLLING_BACK' as const, 'ROLLED_BACK' as const),
    observedGeneration: fc.constantFrom(1, 2),
    transition: maybe(transition),
    nonces: maybe(fc.record({ statelessRedeploy: nonce, savepointRedeploy: nonce, restart: nonce })),
    error: maybe(fc.constantFrom('Job Not Found', '{"type":"x"}')),
  })
  .map((s) => {
    const text = base.resource.status?.reconciliationStatus?.lastReconciledSpec ?? '';
    const spec = text
      .replace('"upgradeMode":"stateless"', `"upgradeMode":"${s.restore}"`)
      .replace('"state":"running"', `"state":"${s.recorded}"`);
    const recorded = s.recorded === 'none' ? undefined : s.recorded === 'garbage' ? '{"x' : spec;
    const { startTime: _, ...unseen } = canonicalJob(s.state ?? 'RUNNING');
    return present({
      jobStatus: present({
        ...(s.seen ? canonicalJob(s.state ?? 'RUNNING') : unseen),
        state: s.state,
        upgradeSavepointPath: s.path,
      }),
      observedGeneration: s.observedGeneration,
      attempt: 1,
      nonces: s.nonces && present(s.nonces),
      transition: s.transition,
      error: s.error,
      reconciliationStatus: present({
        state: s.recon,
        lastReconciledSpec: recorded,
        lastStableSpec: s.stable ? recorded : undefined,
      }),
    }) as Status;
  });

const specs: fc.Arbitrary<FlinkDeploymentSpec> = fc
  .record({
    upgradeMode: fc.constantFrom('savepoint' as const, 'last-state' as const, 'stateless' as const),
    state: fc.constantFrom('running' as const, 'suspended' as const),
    parallelism: fc.constantFrom(0, 2, 3),
    statelessRedeployNonce: nonce,
    savepointRedeployNonce: nonce,
    initialSavepointPath: maybe(fc.constant('s3://bucket/mine')),
    restartNonce: nonce,
    image: fc.constantFrom('flink:2.3', 'flink:2.3.1'),
    standalone: fc.boolean(),
    options: fc.constantFrom(
      {},
      { 'kubernetes.operator.deployment.rollback.enabled': 'true' },
      { 'high-availability.type': 'NONE' },
    ),
  })
  .map(({ image, restartNonce, standalone, options, ...job }) => {
    const { spec } = base.resource;
    return present({
      ...spec,
      image,
      restartNonce,
      mode: standalone ? ('standalone' as const) : undefined,
      flinkConfiguration: { ...spec.flinkConfiguration, ...options },
      job: present({ ...spec.job, ...job }),
    }) as FlinkDeploymentSpec;
  });

const deployment: fc.Arbitrary<DeploymentSeen | undefined> = maybe(
  fc.record({
    ref: fc.constantFrom(...(base.cluster.jobManager ? [base.cluster.jobManager.ref] : [])),
    owners: fc.constantFrom([uid], ['stranger'], []),
    id: fc.constantFrom(`${uid}-1`, `${uid}-0`, undefined),
    generation: fc.constantFrom(1, 2, undefined),
    createdAt: fc.constant(base.now - 1000),
    terminating: fc.boolean(),
    replicas: fc.constantFrom(0, 1),
    available: fc.constantFrom(0, 1),
    conditions: fc.constantFrom(
      [],
      [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: 'no', lastTransitionAt: undefined }],
    ),
  }),
);

const operations: fc.Arbitrary<Operation> = fc.constantFrom(
  { is: 'in progress' },
  { is: 'done', location: 's3://sp/savepoint-x' },
  { is: 'done' },
  {
    is: 'failed',
    message: 'A savepoint has been created at: s3://sp/s, but the corresponding job failed during stopping.',
  },
  { is: 'failed', message: '' },
  { is: 'unknown' },
);

/** Views as they may and may not occur: parts are drawn one by one, so most of them contradict each other. */
export const views: fc.Arbitrary<DeploymentView> = fc
  .record({
    status: maybe(statuses),
    spec: specs,
    generation: fc.constantFrom(1, 2),
    deleting: fc.boolean(),
    claimed: fc.boolean(),
    jobManager: deployment,
    taskManager: deployment,
    pods: fc.constantFrom(0, 1),
    dependents: fc.boolean(),
    ha: fc.record({ available: fc.boolean(), withCheckpoint: fc.boolean(), there: fc.boolean() }),
    answers: fc.boolean(),
    trouble: fc.boolean(),
    job: maybe(fc.constantFrom(...jobStates)),
    checkpoints: fc.constantFrom('none', 'fresh', 'old', 'without path'),
    operation: maybe(operations),
    outcome: maybe(fc.constantFrom('done' as const, 'refused' as const, 'unavailable' as const)),
    exceptions: fc.constantFrom(undefined, base.now, Number.NaN, 1e300),
  })
  .map((v) => {
    const { metadata } = base.resource;
    const told = <T>(value: T, when = base.now) => ({ at: when, value });
    const found = base.rest.job.checkpoints?.value;
    const last =
      v.checkpoints === 'without path' ? { id: 1, path: undefined, triggeredAt: 0, sizeBytes: 1 } : found?.last;
    const checkpoints =
      found && v.checkpoints !== 'none' ? told({ ...found, last }, v.checkpoints === 'old' ? 0 : base.now) : undefined;
    const exception = {
      name: 'X',
      stack: 'a\nb',
      task: undefined,
      endpoint: undefined,
      taskManager: undefined,
      labels: {},
    };
    return {
      ...base,
      outcomes: v.outcome
        ? { [callId]: { result: v.outcome, at: 0, since: 0, of: '', message: 'no', value: null } as never }
        : {},
      resource: {
        ...base.resource,
        metadata: {
          ...metadata,
          generation: v.generation,
          finalizers: v.claimed ? (metadata.finalizers ?? []) : [],
          ...(v.deleting && { deletionTimestamp: '2026-01-01T00:00:00Z' }),
        },
        spec: v.spec,
        ...(v.status && { status: v.status }),
      },
      cluster: {
        ...base.cluster,
        jobManager: v.jobManager,
        taskManager: v.taskManager && {
          ...v.taskManager,
          ref: { ...v.taskManager.ref, name: 'job-taskmanager', uid: 'tm' },
        },
        dependents: v.dependents ? base.cluster.dependents : {},
        pods: Array.from({ length: v.pods }, () => ({
          ref: { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'p' },
          createdAt: 0,
          terminating: false,
          ready: false,
          phase: 'Pending',
          incarnation: 'p',
          failure: { reason: 'ImagePullBackOff', container: 'main', message: 'no such image' },
        })),
        ha: {
          available: v.ha.available,
          withCheckpoint: v.ha.withCheckpoint,
          configMaps: v.ha.there ? [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'ha', uid: 'ha' }] : [],
          submitted: v.ha.there
            ? [
                {
                  ref: { apiVersion: 'v1', kind: 'ConfigMap', name: 'ha', uid: 'ha', resourceVersion: '1' },
                  keys: ['jobGraph-x'],
                },
              ]
            : [],
        },
      },
      rest: {
        ...base.rest,
        jobs: v.answers ? told(v.job ? [{ id: jobId, name: 'job', state: v.job, startedAt: 0 }] : []) : undefined,
        trouble: v.trouble ? { kind: 'unreachable' as const, message: 'no', since: 0, at: base.now } : undefined,
        job: {
          ...base.rest.job,
          checkpoints,
          exceptions: v.exceptions === undefined ? undefined : told([{ ...exception, at: v.exceptions }]),
        },
        operations: v.operation ? { [callId]: told(v.operation) } : {},
      },
    };
  });
