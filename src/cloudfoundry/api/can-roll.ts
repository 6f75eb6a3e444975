import { isKubeError } from '../../kube/error.ts';
import { kinds } from '../../kube/kinds.ts';
import { canRoll, canRollByVersion } from '../decide/runner/can-roll.ts';
import { annotations, labels } from '../keys.ts';
import type { StatefulSet } from '../observe/kube-shapes.ts';
import { type AppWorkload, appWorkload } from '../resources/app-workload.ts';
import type { CfApp } from '../resources/cf-app.ts';
import { type RunnerInfo, runnerInfo } from '../resources/runner-info.ts';
import { CfError, failure, unprocessable } from './cf-error.ts';
import { cfErrorOf } from './kube-trouble.ts';
import type { Platform } from './platform.ts';

/**
 * Whether the runner says that it replaces instances without stopping the app.
 * @throws CfError 400 when it does not, 503 when it has not said anything yet
 */
export async function assertRunnerRolls(platform: Platform): Promise<void> {
  const { runnerName } = platform.settings;
  const rolls = await runnerRolls(platform);
  if (rolls) return;
  if (rolls === undefined)
    throw failure(503, `The runner '${runnerName}' has not said yet what it can do. Try again in a moment.`);
  const detail = `The configured runner '${runnerName}' does not support rolling deploys`;
  throw new CfError(400, { detail, title: 'CF-RollingDeployNotSupported', code: 42000 });
}

/** Undefined while it has been announced, and has said nothing: right after an installation. */
async function runnerRolls({ client, settings }: Platform): Promise<boolean | undefined> {
  const { rootNamespace: namespace, runnerName: name } = settings;
  try {
    const info = await client.resource<RunnerInfo>(runnerInfo.type).get({ namespace, name });
    return info.status?.capabilities && info.status.capabilities.rollingDeploy === true;
  } catch (error) {
    if (isKubeError(error, 'not-found')) return false;
    throw cfErrorOf(error, { verb: 'read', label: 'RunnerInfo' });
  }
}

/**
 * Whether what runs now can take another revision: by the selectors of its StatefulSets, and where another runner keeps
 * something else, by the version that made its workloads. Asked with the operator's rights, of an app that the caller has
 * read. A stopped app has nothing that could be in the way.
 * @throws CfError 422 that says what to do instead
 */
export async function assertCanRoll({ client, settings }: Platform, app: CfApp): Promise<void> {
  if (app.spec.desiredState !== 'STARTED') return;
  const { name = '', namespace = '' } = app.metadata;
  const scope = { namespace, labelSelector: { matchLabels: { [labels.appGuid]: name } } };
  try {
    const all = await client.resource<StatefulSet>(kinds.statefulSets).list(scope);
    // One that is being deleted is in nobody's way.
    const sets = { items: all.items.filter(({ metadata }) => !metadata.deletionTimestamp) };
    const stuck = sets.items.find((set) => !canRoll(set));
    if (stuck) throw legacy(app, `StatefulSet ${stuck.metadata.name} selects its pods by revision`);
    if (sets.items.length > 0) return;
    const workloads = await client.resource<AppWorkload>(appWorkload.type).list(scope);
    const old = workloads.items.find(
      ({ spec, metadata }) =>
        spec.runnerName !== settings.runnerName &&
        !canRollByVersion(metadata.annotations?.[annotations.creationVersion]),
    );
    if (old) throw legacy(app, `AppWorkload ${old.metadata.name} was made by a version that could not roll`);
  } catch (error) {
    throw cfErrorOf(error, { verb: 'read', label: 'App' });
  }
}

function legacy(app: CfApp, why: string): CfError {
  return unprocessable(
    `The app '${app.spec.displayName}' cannot be deployed with a strategy yet: ${why}, so its instances cannot be replaced ` +
      'one by one. Run "cf restart", "cf restage" or "cf push" without --strategy once; after that every strategy works.',
  );
}
