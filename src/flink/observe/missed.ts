import type { Client } from '../../kube/client.ts';
import { find } from '../../kube/find.ts';
import { kinds } from '../../kube/kinds.ts';
import { isRecordedSession, recordedJobState } from '../decide/recorded.ts';
import type { FlinkDeployment } from '../resources/flink-deployment.ts';
import { terminal } from '../rest.ts';
import type { FlinkCaches } from './flink-caches.ts';
import { haSeen } from './ha-seen.ts';
import type { ConfigMap, Deployment } from './kube-shapes.ts';

/** What the server has of a cluster and the caches may not show. */
export interface Found {
  readonly jobManager?: Deployment | undefined;
  readonly configMaps?: readonly ConfigMap[];
}

/**
 * Whether the JobManager should be there and the caches do not show it. They may lag, or go back in time when a watch begins
 * anew, and whoever recovered a cluster that lives would restart it, and whoever is bringing its job to an end would give up the
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
 * Whether the next job is about to be started, and the caches do not show all that can be there for recovery. Whoever relied
 * on caches that lag would leave the old job in the metadata, where it would run instead of the new one, or take up a job
 * without knowing that only the metadata has its state: then the server itself is asked, also whether the old cluster is gone.
 */
export function isMetadataMissed(
  key: string,
  { status: { transition } = {} }: FlinkDeployment,
  { processes, pods, configMaps }: FlinkCaches,
): boolean {
  if (!transition || transition.jobId !== undefined) return false;
  if (transition.phase !== 'clearing' && transition.phase !== 'starting') return false;
  if (processes.get(key) || pods.by('app', key).length > 0) return false;
  const { withCheckpoint, submitted } = haSeen(nameIn(key), configMaps.by('app', key));
  return !withCheckpoint || submitted.length === 0;
}

/** What the server has of all that is missed; `undefined` when nothing is. */
export function missed(
  key: string,
  resource: FlinkDeployment,
  caches: FlinkCaches,
  client: Client,
  signal: AbortSignal,
): Promise<Found> | undefined {
  if (isMissed(key, resource, caches)) {
    return askForJobManager(client, key, signal).then((jobManager) => ({ jobManager }));
  }
  return isMetadataMissed(key, resource, caches) ? askForRest(client, key, signal) : undefined;
}

/** What is left of the old cluster. */
async function askForRest(client: Client, key: string, signal: AbortSignal): Promise<Found> {
  const jobManager = await askForJobManager(client, key, signal);
  return { jobManager, configMaps: await askForMetadata(client, key, signal) };
}

function nameIn(key: string): string {
  return key.slice(key.indexOf('/') + 1);
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
