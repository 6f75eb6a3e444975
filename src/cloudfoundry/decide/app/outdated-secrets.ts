import type { RemoveAction } from '../../../control/decision.ts';
import { deploymentMark } from '../../deployment-mark.ts';
import { isOwnedBy } from '../../manifests/owned-by.ts';
import { revisionOfSecret } from '../../manifests/revision-secret.ts';
import type { CfAppView } from '../../observe/cf-app-view.ts';
import { revisionsOf } from '../../revision.ts';

/**
 * Environments that nobody can need any more: not the wanted or the last recorded revision's, not one that a workload runs
 * or may return to, not one that a deployment may return to.
 *
 * While a workload is between revisions nothing goes: a container of the old one that restarts reads its Secret again.
 */
export function outdatedSecrets(view: CfAppView): readonly RemoveAction[] {
  const { app, secrets, workloads } = view;
  if (workloads.some(({ version, observedAppRev, settled }) => observedAppRev !== version || !settled)) return [];
  const needed = neededRevisions(view);
  return secrets.flatMap((secret): readonly RemoveAction[] => {
    const { name = '', namespace = '', uid, resourceVersion, deletionTimestamp } = secret.metadata;
    const appRev = revisionOfSecret(app.metadata.name ?? '', name);
    if (appRev === undefined || needed.has(appRev) || !uid || !resourceVersion || deletionTimestamp) return [];
    if (!isOwnedBy(secret, app)) return [];
    return [{ do: 'delete', of: { apiVersion: 'v1', kind: 'Secret', namespace, name, uid, resourceVersion } }];
  });
}

function neededRevisions({ app, workloads, deployments }: CfAppView): ReadonlySet<string> {
  const needed = new Set([String(revisionsOf(app).appRev)]);
  if (app.status?.revision) needed.add(app.status.revision.appRev);
  for (const { version, kept } of workloads) for (const appRev of [version, ...kept]) needed.add(appRev);
  const mark = deploymentMark(app);
  // A deployment that is not seen may be one that was made a moment ago.
  const ended = deployments.some(({ name, final }) => final && name === mark?.guid);
  if (mark && !ended) {
    needed.add(String(mark.appRev));
    if (mark.previous) needed.add(String(mark.previous.appRev));
  }
  return needed;
}
