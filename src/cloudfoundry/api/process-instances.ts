import { isKubeError } from '../../kube/error.ts';
import { kinds } from '../../kube/kinds.ts';
import { labels } from '../keys.ts';
import { type CfApp, cfApp } from '../resources/cf-app.ts';
import { type CfProcess, cfProcess } from '../resources/cf-process.ts';
import { revisionsOf } from '../revision.ts';
import { notFound } from './cf-error.ts';
import { processOf } from './find-process.ts';
import { cfErrorOf } from './kube-trouble.ts';
import type { Caller, CfRoutes } from './platform.ts';
import { podIndex } from './pod-index.ts';
import { appOf } from './process-stats.ts';
import { readAs } from './read-as.ts';

/** Restarts one instance: its pod is deleted as the caller, and comes again. */
export const processInstances: CfRoutes = (api, platform) => {
  api.delete('/v3/processes/:guid/instances/:index', async (c) => {
    const { caller } = c.var;
    const process = await readAs<CfProcess>(platform, caller, cfProcess, c.req.param('guid'), 'Process');
    await restartInstance(caller, await appOf(caller, process), process, c.req.param('index'));
    return c.body(null, 204);
  });

  api.delete('/v3/apps/:guid/processes/:type/instances/:index', async (c) => {
    const { caller } = c.var;
    const app = await readAs<CfApp>(platform, caller, cfApp, c.req.param('guid'), 'App');
    await restartInstance(caller, app, await processOf(caller, app, c.req.param('type')), c.req.param('index'));
    return c.body(null, 204);
  });
};

/**
 * Deletes the pod of the revision that is wanted with exactly this index. Where the old revision still serves there is no
 * such instance yet: its pod is not touched, for the roll counts on it.
 */
async function restartInstance(caller: Caller, app: CfApp, process: CfProcess, index: string): Promise<void> {
  if (!/^\d{1,9}$/.test(index)) throw notFound('Instance');
  const { name = '', namespace = '' } = process.metadata;
  const pods = caller.client.resource(kinds.pods);
  const matchLabels = { [labels.guid]: name, [labels.version]: String(revisionsOf(app).appRev) };
  try {
    const { items } = await pods.list({ namespace, labelSelector: { matchLabels }, metadataOnly: true });
    const found = items.filter((pod) => podIndex(pod) === Number(index));
    const pod = found.find(({ metadata }) => !metadata.deletionTimestamp) ?? found[0];
    const { name: podName = '', uid = '' } = pod?.metadata ?? {};
    if (!pod) throw notFound('Instance');
    await pods.delete({ namespace, name: podName }, { preconditions: { uid } });
  } catch (error) {
    // Gone, or another one by now: it has been restarted.
    if (isKubeError(error, 'not-found', 'conflict')) return;
    throw cfErrorOf(error, { verb: 'write', label: 'Instance' });
  }
}
