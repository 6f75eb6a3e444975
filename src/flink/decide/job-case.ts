import type { Instant } from '../../clock/clock.ts';
import type { Outcomes } from '../../control/outcome.ts';
import { effectiveConfig, observeConfig } from '../config/effective-config.ts';
import type { FlinkConfig } from '../config/flink-config.ts';
import { flinkOptions } from '../config/flink-options.ts';
import { read } from '../config/option.ts';
import type { FlinkDeployment, FlinkDeploymentSpec } from '../resources/flink-deployment.ts';
import type { FlinkSessionJob, FlinkSessionJobSpec } from '../resources/flink-session-job.ts';
import type { JobSpec } from '../resources/job-spec.ts';
import { deploymentSpecCodec, type RecordedSpec, sessionJobSpecCodec } from '../resources/recorded-spec.ts';
import { deploymentChange, type SpecChange, sessionJobChange } from '../resources/spec-change.ts';
import type { ClusterAddress, Rest } from '../rest.ts';
import type { Cluster, DeploymentView, SessionJobView, Snapshots } from '../view.ts';
import { begunAnew } from './begun-anew.ts';
import { type JobManagerSeen, jobManagerSeen } from './job-manager.ts';
import type { Status } from './status.ts';

/** A spec that holds a job. */
export type JobHolder = (FlinkDeploymentSpec | FlinkSessionJobSpec) & { readonly job: JobSpec };

/**
 * One job to decide about, of an application cluster or of a session. What the two have in common is here under the same
 * names; rules ask `is` only where they differ.
 */
export interface JobCase {
  readonly is: 'application' | 'session job';
  readonly view: DeploymentView | SessionJobView;
  readonly resource: FlinkDeployment | FlinkSessionJob;
  readonly uid: string;
  readonly generation: number;
  readonly now: Instant;
  readonly outcomes: Outcomes;
  /** What is wanted. */
  readonly spec: JobHolder;
  /** What is deployed. */
  readonly recorded: RecordedSpec<JobHolder> | undefined;
  /** What last ran stably. */
  readonly stable: RecordedSpec<JobHolder> | undefined;
  /** The status, with all that the view shows folded in. */
  readonly status: Status;
  /** In force for what is deployed. */
  readonly config: FlinkConfig;
  readonly cluster: Cluster;
  readonly rest: Rest;
  readonly address: ClusterAddress;
  readonly jobManager: JobManagerSeen;
  readonly snapshots: Snapshots;
}

/** The finalizer that keeps a resource until its job is off. The Java operator's names, so that either may remove them. */
export const finalizers = {
  application: 'flinkdeployments.flink.apache.org/finalizer',
  'session job': 'flinksessionjobs.flink.apache.org/finalizer',
} as const;

const codecs = { application: deploymentSpecCodec, 'session job': sessionJobSpecCodec } as const;

/** `undefined` when neither the spec nor what is deployed has a job: then it is a session cluster. */
export function applicationCase(view: DeploymentView): JobCase | undefined {
  const { resource, operator } = view;
  const recorded = readSpec('application', resource.status?.reconciliationStatus?.lastReconciledSpec);
  const spec = holder(resource.spec) ?? recorded?.spec;
  if (!spec) return undefined;
  const place = placeOf(resource, resource.spec.flinkVersion);
  const config = recorded
    ? observeConfig(operator, place, recorded.spec.flinkConfiguration, resource.spec.flinkConfiguration)
    : effectiveConfig(operator, place, resource.spec.flinkConfiguration);
  const uid = resource.metadata.uid ?? '';
  return {
    is: 'application',
    ...common(view, spec, recorded),
    config,
    address: addressOf(resource, config),
    jobManager: jobManagerSeen(uid, view.cluster, view.rest, config, view.now),
  };
}

export function sessionJobCase(view: SessionJobView): JobCase | undefined {
  const { resource, operator, session } = view;
  const recorded = readSpec('session job', resource.status?.reconciliationStatus?.lastReconciledSpec);
  const spec = holder(resource.spec) ?? recorded?.spec;
  if (!spec) return undefined;
  const place = placeOf(resource, session?.spec.flinkVersion);
  const written = (recorded ?? { spec }).spec.flinkConfiguration;
  const deployed = { ...session?.spec.flinkConfiguration, ...written };
  const current = { ...session?.spec.flinkConfiguration, ...spec.flinkConfiguration };
  const config = observeConfig(operator, place, deployed, current);
  const owner = session?.metadata.uid ?? '';
  return {
    is: 'session job',
    ...common(view, spec, recorded),
    config,
    address: addressOf(session ?? resource, config, resource.spec.deploymentName),
    jobManager: jobManagerSeen(owner, view.cluster, view.rest, config, view.now),
  };
}

type Common = Omit<JobCase, 'is' | 'config' | 'address' | 'jobManager'>;

function common(view: DeploymentView | SessionJobView, spec: JobHolder, recorded: Common['recorded']): Common {
  const { resource, now, outcomes, cluster, rest, snapshots } = view;
  const status = begunAnew(resource.status ?? {}, now);
  const is = resource.kind === 'FlinkSessionJob' ? 'session job' : 'application';
  return {
    view,
    resource,
    uid: resource.metadata.uid ?? '',
    generation: resource.metadata.generation ?? 0,
    now,
    outcomes,
    spec,
    recorded,
    stable: stableSpec(is, status, recorded),
    status,
    cluster,
    rest,
    snapshots,
  };
}

/** The FlinkDeployment whose cluster runs the job. */
export function clusterOf({ view }: JobCase): FlinkDeployment | undefined {
  return 'session' in view ? view.session : view.resource;
}

/** What changed between two specs. */
export function changeOf(c: JobCase, from: JobHolder, to: JobHolder): SpecChange {
  return c.is === 'application' ? deploymentChange(from, to as FlinkDeploymentSpec) : sessionJobChange(from, to);
}

/** The text of a spec as it is recorded. */
export function recordOf(c: JobCase, spec: JobHolder, firstDeployment: boolean): string {
  return codecs[c.is].write({ spec, firstDeployment });
}

/** Mostly what is deployed: then it is not read twice. */
function stableSpec(is: JobCase['is'], { reconciliationStatus }: Status, recorded: Common['recorded']) {
  const { lastReconciledSpec, lastStableSpec } = reconciliationStatus ?? {};
  return lastStableSpec === lastReconciledSpec ? recorded : readSpec(is, lastStableSpec);
}

function readSpec(is: JobCase['is'], text: string | undefined): RecordedSpec<JobHolder> | undefined {
  if (text === undefined) return undefined;
  const found = codecs[is].read(text);
  const spec = found.ok ? holder(found.spec) : undefined;
  return found.ok && spec ? { spec, firstDeployment: found.firstDeployment } : undefined;
}

function holder(spec: FlinkDeploymentSpec | FlinkSessionJobSpec): JobHolder | undefined {
  return spec.job ? { ...spec, job: spec.job } : undefined;
}

function placeOf(resource: FlinkDeployment | FlinkSessionJob, flinkVersion: string | undefined) {
  return { namespace: resource.metadata.namespace ?? 'default', flinkVersion };
}

function addressOf(
  cluster: FlinkDeployment | FlinkSessionJob,
  config: FlinkConfig,
  name = cluster.metadata.name,
): ClusterAddress {
  const [port, tls] = [read(config, flinkOptions.restPort), read(config, flinkOptions.restTls)];
  return { namespace: cluster.metadata.namespace ?? 'default', name: name ?? '', port, tls };
}
