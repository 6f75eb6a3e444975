import { labels } from '../keys.ts';
import { processGuid } from '../names.ts';
import type { CfApp } from '../resources/cf-app.ts';
import { type CfProcess, cfProcess } from '../resources/cf-process.ts';
import { CfError, notFound } from './cf-error.ts';
import { cfErrorOf } from './kube-trouble.ts';
import type { Caller } from './platform.ts';
import { readIn } from './read-as.ts';

/** The processes of an app, as the caller. */
export async function processesOf(caller: Caller, app: CfApp): Promise<readonly CfProcess[]> {
  const { name = '', namespace = '' } = app.metadata;
  const labelSelector = { matchLabels: { [labels.appGuid]: name } };
  try {
    return (await caller.client.resource<CfProcess>(cfProcess.type).list({ namespace, labelSelector })).items;
  } catch (error) {
    throw cfErrorOf(error, { verb: 'read', label: 'Process' });
  }
}

/**
 * The process of one type: by its name, which is computed; those from before names were computed by their labels.
 * @throws CfError 404
 */
export async function processOf(caller: Caller, app: CfApp, type: string): Promise<CfProcess> {
  const { name: guid = '', namespace = '' } = app.metadata;
  try {
    return await readIn<CfProcess>(caller, cfProcess, { namespace, name: processGuid(guid, type) }, 'Process');
  } catch (error) {
    if (!(error instanceof CfError) || error.status !== 404) throw error;
  }
  const found = (await processesOf(caller, app)).find(({ spec }) => spec.processType === type);
  if (!found) throw notFound('Process');
  return found;
}
