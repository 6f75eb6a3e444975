import type { Glance } from '../../control/controller.ts';
import { keyOf } from '../../kube/reflector/key.ts';
import type { OperatorConfig } from '../config/operator-config.ts';
import type { Following } from '../ports/follower.ts';
import type { FlinkDeployment } from '../resources/flink-deployment.ts';
import type { FlinkSessionJob } from '../resources/flink-session-job.ts';
import type { FlinkStateSnapshot } from '../resources/flink-state-snapshot.ts';
import type { Interest, Rest } from '../rest.ts';
import type { Cluster, DeploymentView, NamedResource, SessionJobView, Snapshots, SnapshotView } from '../view.ts';
import { clusterSeen } from './cluster-seen.ts';
import { type FlinkCaches, jobName } from './flink-caches.ts';
import { type Asked, jobInterest, snapshotInterest } from './interest.ts';
import type { Found } from './missed.ts';
import type { MountTrouble } from './mount-trouble.ts';
import { clusterPace, type Pace, sessionJobPace } from './pace.ts';
import { incarnationOf } from './pod-seen.ts';

export interface Sources {
  readonly caches: FlinkCaches;
  readonly operator: () => OperatorConfig;
  /** The follower, as this controller sees it. */
  readonly following: Following;
}

/** What is decided on about a FlinkDeployment. */
export function deploymentView(
  key: string,
  { object, now, outcomes }: Glance<FlinkDeployment>,
  { caches, following, operator, mounts }: Sources & { readonly mounts: MountTrouble },
  found?: Found,
): DeploymentView {
  const config = operator();
  const resource = whole(object);
  const cluster = clusterSeen(caches, nameOf(key), mounts.look(key, caches.pods.by('app', key)), found);
  // Whoever else looks at this cluster sees the pods that the caches show.
  const { asked, pace } = near(config, resource, found?.pods ? clusterSeen(caches, nameOf(key)) : cluster);
  return {
    now,
    outcomes,
    resource,
    operator: config,
    cluster,
    rest: following.look(key, jobInterest(resource, asked, pace)),
    sessionJobs: caches.sessionJobs
      .by('session', key)
      .map(namedResource)
      .sort((a, b) => a.name.localeCompare(b.name)),
    snapshots: snapshotsOf(caches, jobName('FlinkDeployment', key)),
  };
}

/** What is decided on about a FlinkSessionJob. */
export function sessionJobView(
  key: string,
  { object, now, outcomes }: Glance<FlinkSessionJob>,
  { caches, following, operator }: Sources,
): SessionJobView {
  const config = operator();
  const resource = whole(object);
  const { namespace = '' } = resource.metadata;
  const { deploymentName = '' } = resource.spec;
  const session = wholeIf(caches.deployments.get(`${namespace}/${deploymentName}`));
  const cluster = clusterSeen(caches, { namespace, name: deploymentName });
  const asked = session && near(config, session, cluster).asked;
  const interest = session && asked && jobInterest(resource, asked, sessionJobPace(config, session, resource));
  return {
    now,
    outcomes,
    resource,
    operator: config,
    session,
    cluster,
    rest: told(following, key, interest, cluster),
    snapshots: snapshotsOf(caches, jobName('FlinkSessionJob', key)),
  };
}

/** What is decided on about a FlinkStateSnapshot. */
export function snapshotView(
  key: string,
  { object, now, outcomes }: Glance<FlinkStateSnapshot>,
  { caches, following, operator }: Sources,
): SnapshotView {
  const config = operator();
  const resource = whole(object);
  const { namespace = '' } = resource.metadata;
  const { job, session } = jobOfSnapshot(caches, resource);
  const cluster = clusterSeen(caches, { namespace, name: session?.metadata.name ?? '' });
  const { asked, pace } = session ? near(config, session, cluster) : {};
  const interest = job && asked && pace && snapshotInterest(resource, job, asked, pace);
  return { now, outcomes, resource, operator: config, job, session, rest: told(following, key, interest, cluster) };
}

function jobOfSnapshot(
  { deployments, sessionJobs }: FlinkCaches,
  { metadata: { namespace }, spec }: FlinkStateSnapshot,
): Pick<SnapshotView, 'job' | 'session'> {
  const { kind = 'FlinkDeployment', name } = spec.jobReference ?? {};
  if (!name) return { job: undefined, session: undefined };
  if (kind === 'FlinkDeployment') {
    const job = wholeIf(deployments.get(`${namespace}/${name}`));
    return { job, session: job };
  }
  const job = wholeIf(sessionJobs.get(`${namespace}/${name}`));
  return { job, session: wholeIf(deployments.get(`${namespace}/${job?.spec.deploymentName ?? ''}`)) };
}

function namedResource({ metadata, status }: FlinkSessionJob): NamedResource {
  const { name = '', deletionTimestamp } = metadata;
  const { jobId } = status?.jobStatus ?? {};
  return { name, deleting: deletionTimestamp !== undefined, ...(jobId !== undefined && { jobId }) };
}

/** How a cluster is asked, and how often. */
function near(
  config: OperatorConfig,
  session: FlinkDeployment,
  cluster: Cluster,
): { readonly asked: Asked; readonly pace: Pace } {
  const { address, repeatsMs, pace } = clusterPace(config, session);
  return { asked: { cluster: address, incarnation: incarnationOf(cluster.pods), repeatsMs }, pace };
}

/** What the cluster said, if there is something to ask. */
function told(following: Following, key: string, interest: Interest | undefined, cluster: Cluster): Rest {
  if (interest) return following.look(key, interest);
  following.forget(key);
  return {
    asked: incarnationOf(cluster.pods) !== undefined,
    trouble: undefined,
    jobs: undefined,
    version: undefined,
    taskManagers: undefined,
    job: {
      checkpoints: undefined,
      exceptions: undefined,
      failure: undefined,
      metrics: undefined,
      requirements: undefined,
    },
    operations: {},
  };
}

function snapshotsOf({ snapshots }: FlinkCaches, job: string): Snapshots {
  return {
    installed: snapshots.trouble?.kind !== 'not-found',
    items: snapshots.by('job', job).toSorted((a, b) => keyOf(a).localeCompare(keyOf(b))),
  };
}

/** Definitions demand no spec, so there may be none: that is as good as an empty one. */
function whole<T extends { readonly spec: object }>(resource: T): T {
  return (resource.spec as object | undefined) ? resource : { ...resource, spec: {} };
}

function wholeIf<T extends { readonly spec: object }>(resource: T | undefined): T | undefined {
  return resource && whole(resource);
}

function nameOf(key: string): { readonly namespace: string; readonly name: string } {
  const slash = key.indexOf('/');
  return { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
