import type { Client } from '../../kube/client.ts';
import { isKubeError } from '../../kube/error.ts';
import { kinds } from '../../kube/kinds.ts';
import { isRecordedSession, recordedJobState } from '../decide/recorded.ts';
import type { FlinkDeployment } from '../resources/flink-deployment.ts';
import { terminal } from '../rest.ts';
import type { FlinkCaches } from './flink-caches.ts';
import type { Deployment } from './kube-shapes.ts';

/**
 * Whether the JobManager should be there and the caches do not show it. They may lag, or go back in time when a watch begins
 * anew, and whoever recovered a cluster that lives would restart it: then the server itself is asked.
 */
export function isMissed(key: string, { metadata, status = {} }: FlinkDeployment, { processes }: FlinkCaches): boolean {
  if (metadata.deletionTimestamp || status.transition || processes.get(key)) return false;
  const text = status.reconciliationStatus?.lastReconciledSpec;
  const runs = recordedJobState(text) === 'running' && !terminal(status.jobStatus?.state);
  return runs || isRecordedSession(text);
}

/** The JobManager's Deployment as the server has it. */
export async function askServer(client: Client, key: string, signal: AbortSignal): Promise<Deployment | undefined> {
  const [namespace = '', name = ''] = key.split('/');
  try {
    return await client.resource<Deployment>(kinds.deployments).get({ namespace, name }, { signal });
  } catch (error) {
    if (isKubeError(error, 'not-found')) return undefined;
    throw error;
  }
}
