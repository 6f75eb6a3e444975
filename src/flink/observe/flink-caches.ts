import type { Cached, Caches } from '../../control/caches.ts';
import { openWatched } from '../../control/watched.ts';
import { kinds } from '../../kube/kinds.ts';
import type { AnyObject, KubeObject } from '../../kube/object.ts';
import { type FlinkDeployment, flinkDeployment } from '../resources/flink-deployment.ts';
import { type FlinkSessionJob, flinkSessionJob } from '../resources/flink-session-job.ts';
import { type FlinkStateSnapshot, flinkStateSnapshot } from '../resources/flink-state-snapshot.ts';
import { comingAndGoing } from './coming-and-going.ts';
import { holdsCheckpoint } from './ha-seen.ts';
import { kept } from './kept.ts';
import type { ConfigMap, Deployment, Pod } from './kube-shapes.ts';

/** All that is watched for the Flink family. Opening them again shares them. */
export interface FlinkCaches {
  readonly deployments: Cached<FlinkDeployment>;
  readonly sessionJobs: Cached<FlinkSessionJob, 'session'>;
  readonly snapshots: Cached<FlinkStateSnapshot, 'job'>;
  /** Of JobManagers and, in standalone mode, of TaskManagers. */
  readonly processes: Cached<Deployment>;
  /** Of JobManagers only: there may be thousands of others. */
  readonly pods: Cached<Pod, 'app'>;
  readonly services: Cached;
  readonly configMaps: Cached<ConfigMap, 'app'>;
  readonly ingresses: Cached;
}

export interface WatchScope {
  /** All when empty. */
  readonly namespaces: readonly string[];
  /** Only Flink resources with these labels. */
  readonly labelSelector?: string | undefined;
}

/** Objects that belong to some Flink cluster, whoever made it: the Java operator, Flink itself or we. */
const ofFlink = 'type in (flink-native-kubernetes,flink-standalone-kubernetes)';
/** Pods of JobManagers among them. */
export const ofJobManagers = `${ofFlink},component=jobmanager`;

export function openFlinkCaches(caches: Caches, { namespaces, labelSelector }: WatchScope): FlinkCaches {
  const resources = { ...(labelSelector && { labelSelector }), managedFields: true };
  const configMaps = openWatched<ConfigMap, 'app'>(caches, namespaces, {
    type: kinds.configMaps,
    labelSelector: ofFlink,
    keep: kept.configMap,
    indexes: { app },
  });
  return {
    deployments: openWatched(caches, namespaces, { type: flinkDeployment.type, ...resources }),
    sessionJobs: openWatched(caches, namespaces, {
      type: flinkSessionJob.type,
      ...resources,
      indexes: { session: sessionOf },
    }),
    // Older installations do not have this kind.
    snapshots: openWatched(caches, namespaces, {
      type: flinkStateSnapshot.type,
      ...resources,
      optional: true,
      indexes: { job: jobOf },
    }),
    processes: openWatched(caches, namespaces, { type: kinds.deployments, labelSelector: ofFlink, keep: kept.process }),
    pods: openWatched(caches, namespaces, {
      type: kinds.pods,
      labelSelector: ofJobManagers,
      keep: kept.pod,
      indexes: { app },
    }),
    services: comingAndGoing(
      openWatched(caches, namespaces, { type: kinds.services, labelSelector: ofFlink, keep: kept.nothing }),
    ),
    configMaps: comingAndGoing(configMaps, recoverable),
    ingresses: openWatched<AnyObject>(caches, namespaces, {
      type: kinds.ingresses,
      labelSelector: 'component=ingress',
      // Nobody needs them to run jobs.
      optional: true,
    }),
  };
}

/** What of Flink's metadata decides whether, and as what, a job can be recovered: which jobs, and whether they have state. */
function recoverable(configMap: ConfigMap): unknown {
  const jobs = Object.keys(configMap.data ?? {}).filter((key) => /^(jobGraph|executionPlan)-/.test(key));
  return [jobs, holdsCheckpoint(configMap)];
}

/** The key of the FlinkDeployment whose cluster an object belongs to, by its label. */
export function app({ metadata }: KubeObject): readonly string[] {
  const name = metadata.labels?.app;
  return name ? [`${metadata.namespace}/${name}`] : [];
}

/** The key of the session cluster that a job runs in. */
export function sessionOf({ metadata, spec }: FlinkSessionJob): readonly string[] {
  const name = (spec as FlinkSessionJob['spec'] | undefined)?.deploymentName;
  return name ? [`${metadata.namespace}/${name}`] : [];
}

/** The job that a snapshot is of: `FlinkDeployment team-a/orders`. */
export function jobOf({ metadata, spec }: FlinkStateSnapshot): readonly string[] {
  const { kind, name } = (spec as FlinkStateSnapshot['spec'] | undefined)?.jobReference ?? {};
  return name ? [jobName(kind ?? 'FlinkDeployment', `${metadata.namespace}/${name}`)] : [];
}

/** What `jobOf` says of the snapshots of this job. */
export function jobName(kind: 'FlinkDeployment' | 'FlinkSessionJob', key: string): string {
  return `${kind} ${key}`;
}
