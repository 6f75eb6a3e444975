import { isKubeError } from '../../../kube/error.ts';
import { kinds } from '../../../kube/kinds.ts';
import type { LabelSelector } from '../../../kube/selector/label-selector.ts';
import { labels } from '../../keys.ts';
import type { CfApp } from '../../resources/cf-app.ts';
import { type CfBuild, cfBuild } from '../../resources/cf-build.ts';
import { type CfTask, cfTask } from '../../resources/cf-task.ts';
import { revisionsOf } from '../../revision.ts';
import { notAuthorized } from '../cf-error.ts';
import { cfErrorOf } from '../kube-trouble.ts';
import type { Caller } from '../platform.ts';
import { taskName } from '../present/task.ts';
import { instanceSources, type LogPod, type LogSource, stagingSources, taskSources } from './log-source.ts';

/** By which builders mark the pods of a build. */
const buildWorkloadName = 'korifi.cloudfoundry.org/build-workload-name';
/** Tasks whose output is looked for: older ones have lost theirs with their pods. */
const newestTasks = 50;

/** Where an app's output is found. */
export interface Sources {
  readonly containers: readonly LogSource[];
  /** The latest build, which has something to say itself. */
  readonly build: CfBuild | undefined;
}

/**
 * All that prints for an app: instances of the revision that is wanted, its tasks, its latest build. Read as the caller.
 * @throws CfError 403 for whoever may see the app, but not its pods
 */
export async function sourcesOf(caller: Caller, app: CfApp): Promise<Sources> {
  const { name: guid = '', namespace = '' } = app.metadata;
  const pods = (matching: LabelSelector): Promise<readonly LogPod[]> => podsOf(caller, namespace, matching);
  const ofApp: LabelSelector = { matchLabels: { [labels.appGuid]: guid } };
  const version = String(revisionsOf(app).appRev);
  const [instances, builds, tasks] = await Promise.all([
    pods({ matchLabels: { ...ofApp.matchLabels, [labels.version]: version } }),
    newest<CfBuild>(caller, cfBuild, namespace, ofApp, 1),
    newest<CfTask>(caller, cfTask, namespace, ofApp, newestTasks),
  ]);
  const [build] = builds;
  const names = new Map(tasks.map((task) => [task.metadata.name ?? '', taskName(task)]));
  const jobs = [...names.keys()];
  const [staging, running] = await Promise.all([
    // An image is staged without a pod.
    build && build.spec.lifecycle.type !== 'docker'
      ? pods({ matchLabels: { [buildWorkloadName]: build.metadata.name ?? '' } })
      : [],
    jobs.length > 0 ? pods({ matchExpressions: [{ key: 'job-name', operator: 'In', values: jobs }] }) : [],
  ]);
  const nameOf = (pod: LogPod): string => names.get(pod.metadata.labels?.['job-name'] ?? '') ?? '';
  return {
    containers: [
      ...staging.flatMap(stagingSources),
      ...instances.flatMap(instanceSources),
      ...running.flatMap((pod) => taskSources(pod, nameOf(pod))),
    ],
    build,
  };
}

async function podsOf(caller: Caller, namespace: string, labelSelector: LabelSelector): Promise<readonly LogPod[]> {
  try {
    return (await caller.client.resource<LogPod>(kinds.pods).list({ namespace, labelSelector })).items;
  } catch (error) {
    if (isKubeError(error, 'forbidden')) throw notAuthorized(error);
    throw cfErrorOf(error, { verb: 'read', label: 'App' });
  }
}

/** The newest objects of an app; none for whoever may not list them. */
async function newest<T extends CfBuild | CfTask>(
  caller: Caller,
  kind: typeof cfBuild | typeof cfTask,
  namespace: string,
  labelSelector: LabelSelector,
  count: number,
): Promise<readonly T[]> {
  try {
    const { items } = await caller.client.resource<T>(kind.type).list({ namespace, labelSelector });
    const age = ({ metadata }: T): string => metadata.creationTimestamp ?? '';
    return items.toSorted((a, b) => (age(a) < age(b) ? 1 : age(a) > age(b) ? -1 : 0)).slice(0, count);
  } catch (error) {
    if (isKubeError(error, 'forbidden')) return [];
    throw cfErrorOf(error, { verb: 'read', label: 'App' });
  }
}
