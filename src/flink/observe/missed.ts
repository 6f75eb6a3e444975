import type { Client } from '../../kube/client.ts';
import { find } from '../../kube/find.ts';
import { kinds } from '../../kube/kinds.ts';
import { isRecordedSession, recordedJobState } from '../decide/recorded.ts';
import type { FlinkDeployment } from '../resources/flink-deployment.ts';
import { terminal } from '../rest.ts';
import { type FlinkCaches, ofJobManagers } from './flink-caches.ts';
import type { ConfigMap, Deployment, Pod } from './kube-shapes.ts';

/** What the server has of a cluster and the caches may not show. */
export interface Found {
  readonly jobManager?: Deployment | undefined;
  readonly pods?: readonly Pod[];
  readonly configMaps?: readonly ConfigMap[];
}

/**
 * Whether the JobManager should be there and the caches do not show it. They may lag, or begin in the past, and whoever recovered a cluster that lives would restart it, and whoever is bringing its job to an end would give up the
 * savepoint: then the server itself is asked.
 */
export function isMissed(key: string, { status = {} }: FlinkDeployment, { processes }: FlinkCaches): boolean {
  const phase = status.transition?.phase;
  if (phase === 'clearing' || phase === 'starting' || processes.get(key)) return false;
  const text = status.reconciliationStatus?.lastReconciledSpec;
  const ended = phase === undefined && terminal(status.jobStatus?.state);
  return (recordedJobState(text) === 'running' && !ended) || isRecordedSession(text);
}

/**
 * Whether the next job is about to be started, and the caches show nothing of the old cluster that could still write. Whoever
 * relied on caches that lag would take metadata away from a JobManager that lives, would leave the old job in it, where it would
 * run instead of the new one, or take up a job without knowing that only the metadata has its state: then the server itself is
 * asked.
 */
export function isRestMissed(
  key: string,
  { status: { transition } = {} }: FlinkDeployment,
  { processes, pods }: FlinkCaches,
): boolean {
  if (!transition || transition.jobId !== undefined) return false;
  if (transition.phase !== 'clearing' && transition.phase !== 'starting') return false;
  return !processes.get(key) && pods.by('app', key).length === 0;
}

/** What the server has of all that is missed; `undefined` when nothing is. */
export function missed(
  key: string,
  resource: FlinkDeployment,
  caches: FlinkCaches,
  client: Client,
  signal: AbortSignal,
): Promise<Found> | undefined {
  const asks = isMissed(key, resource, caches) || isRestMissed(key, resource, caches);
  return asks ? ask(client, key, signal) : undefined;
}

/** The JobManager or, where there is none, what it left: first its pods, for what they write is settled only when they are gone. */
async function ask(client: Client, key: string, signal: AbortSignal): Promise<Found> {
  const jobManager = await askForJobManager(client, key, signal);
  if (jobManager) return { jobManager };
  const pods = await askForPods(client, key, signal);
  return { pods, configMaps: await askForMetadata(client, key, signal) };
}

function nameIn(key: string): string {
  return key.slice(key.indexOf('/') + 1);
}

/** The JobManager's pods, as the server has them. */
async function askForPods(client: Client, key: string, signal: AbortSignal): Promise<readonly Pod[]> {
  const [namespace = ''] = key.split('/');
  const labelSelector = `app=${nameIn(key)},${ofJobManagers}`;
  return (await client.resource<Pod>(kinds.pods).list({ namespace, labelSelector, signal })).items;
}

/** The ConfigMaps that carry the cluster's labels, as the server has them. */
async function askForMetadata(client: Client, key: string, signal: AbortSignal): Promise<readonly ConfigMap[]> {
  const [namespace = ''] = key.split('/');
  const labelSelector = `app=${nameIn(key)},type=flink-native-kubernetes`;
  return (await client.resource<ConfigMap>(kinds.configMaps).list({ namespace, labelSelector, signal })).items;
}

/** The JobManager's Deployment as the server has it. */
function askForJobManager(client: Client, key: string, signal: AbortSignal): Promise<Deployment | undefined> {
  const [namespace = '', name = ''] = key.split('/');
  return find(client.resource<Deployment>(kinds.deployments), { namespace, name }, { signal });
}
