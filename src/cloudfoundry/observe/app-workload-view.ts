import { isObject } from '../../change/equal.ts';
import type { Glance, View } from '../../control/controller.ts';
import type { Client } from '../../kube/client.ts';
import { isKubeError } from '../../kube/error.ts';
import { kinds } from '../../kube/kinds.ts';
import type { AnyObject, JsonObject, KubeObject } from '../../kube/object.ts';
import { labels } from '../keys.ts';
import type { AppWorkload } from '../resources/app-workload.ts';
import type { CloudFoundrySettings } from '../settings.ts';
import type { CloudFoundryCaches } from './caches.ts';
import type { Pod, StatefulSet } from './kube-shapes.ts';

/** What is known when a workload is decided on. */
export interface AppWorkloadView extends View {
  readonly workload: AppWorkload;
  /** All that bear the workload's name in their label, by name; usually one. */
  readonly statefulSets: readonly StatefulSet[];
  /** No cache has shown those, and perhaps none will tell that they are gone. */
  readonly unheard?: boolean;
  /** All that bear the workload's name in their label, by name. */
  readonly pods: readonly Pod[];
  /** Disruption budgets of the process, by name. */
  readonly budgets: readonly KubeObject[];
  /**
   * The template from which pods of the wanted revision were made that still run, when the StatefulSet has another one by now.
   * Only the very same template leaves them alone.
   */
  readonly recordedTemplate?: JsonObject;
  readonly settings: Pick<CloudFoundrySettings, 'runnerName' | 'runner'>;
}

interface Sources {
  readonly client: Client;
  readonly caches: Pick<CloudFoundryCaches, 'statefulSets' | 'pods' | 'podDisruptionBudgets'>;
  readonly settings: CloudFoundrySettings;
}

/**
 * Looks at a workload. The server is asked in two cases only: on the way back to a revision of which pods still run, and
 * before a workload is let go, for a StatefulSet that a cache has not seen would run for ever.
 */
export async function appWorkloadView(
  key: string,
  { object, now, outcomes, signal }: Glance<AppWorkload>,
  { client, caches, settings }: Sources,
): Promise<AppWorkloadView> {
  const { runnerName, runner } = settings;
  const workload = whole(object);
  const seen = caches.statefulSets.by('workload', key);
  const ours = workload.spec.runnerName === runnerName;
  const leaves = ours && object.metadata.deletionTimestamp !== undefined && seen.length === 0;
  const unseen = leaves ? await statefulSetsOf(client, workload, signal) : [];
  const asked = ours ? returnsTo(workload, seen, caches.pods.by('workload', key)) : undefined;
  const recordedTemplate = asked && (await recorded(client, workload, asked, signal));
  // Caches last: nothing may pass between the look at them and the decision.
  const cached = caches.statefulSets.by('workload', key);
  return {
    now,
    outcomes,
    workload,
    statefulSets: byName(cached.length > 0 ? cached : unseen),
    ...(cached.length === 0 && unseen.length > 0 && { unheard: true }),
    pods: byName(caches.pods.by('workload', key)),
    budgets: byName(caches.podDisruptionBudgets.by('process', `${object.metadata.namespace}/${workload.spec.GUID}`)),
    ...(recordedTemplate && { recordedTemplate }),
    settings: { runnerName, runner },
  };
}

async function statefulSetsOf(
  client: Client,
  { metadata: { namespace = '', name = '' } }: AppWorkload,
  signal: AbortSignal,
): Promise<readonly StatefulSet[]> {
  const labelSelector = { matchLabels: { [labels.workloadGuid]: name } };
  const { items } = await client.resource<StatefulSet>(kinds.statefulSets).list({ namespace, labelSelector, signal });
  return items;
}

/** The StatefulSet that has another revision than the wanted one, while pods of that one run. */
function returnsTo(
  { metadata, spec }: AppWorkload,
  sets: readonly StatefulSet[],
  pods: readonly Pod[],
): StatefulSet | undefined {
  if (metadata.deletionTimestamp) return undefined;
  const set = sets.find(({ spec: { template } = {} }) => template?.metadata?.labels?.[labels.version] !== spec.version);
  return set && pods.some((pod) => pod.metadata.labels?.[labels.version] === spec.version) ? set : undefined;
}

/**
 * The template as Kubernetes recorded it. What a workload's spec says is not enough to make it again byte for byte: another
 * runner, or an older Cutover with other settings, may have made it.
 */
async function recorded(
  client: Client,
  { metadata: { namespace = '' }, spec }: AppWorkload,
  set: StatefulSet,
  signal: AbortSignal,
): Promise<JsonObject | undefined> {
  const labelSelector = { matchLabels: { [labels.guid]: spec.GUID, [labels.version]: spec.version } };
  try {
    const { items } = await client
      .resource<AnyObject>(kinds.controllerRevisions)
      .list({ namespace, labelSelector, signal });
    const own = items.filter(({ metadata }) => metadata.ownerReferences?.some(({ uid }) => uid === set.metadata.uid));
    return templateIn(own.toSorted((a, b) => numberOf(b) - numberOf(a))[0]);
  } catch (error) {
    // Without it the way back restarts pods that need not be: no reason to stay away.
    if (isKubeError(error, 'forbidden', 'not-found')) return undefined;
    throw error;
  }
}

function numberOf({ revision }: AnyObject): number {
  return typeof revision === 'number' ? revision : 0;
}

function templateIn(revision: AnyObject | undefined): JsonObject | undefined {
  const spec = isObject(revision?.data) ? revision.data.spec : undefined;
  const template = isObject(spec) ? spec.template : undefined;
  if (!isObject(template)) return undefined;
  const { $patch: _directive, ...rest } = template;
  return rest as JsonObject;
}

/** Definitions of others demand less of a spec. */
function whole(workload: AppWorkload): AppWorkload {
  const spec: Partial<AppWorkload['spec']> = (workload.spec as AppWorkload['spec'] | undefined) ?? {};
  const { GUID = '', version = '', appGUID = '', processType = '', image = '', instances = 1, runnerName = '' } = spec;
  return { ...workload, spec: { ...spec, GUID, version, appGUID, processType, image, instances, runnerName } };
}

function byName<T extends KubeObject>(objects: readonly T[]): readonly T[] {
  return objects.toSorted((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));
}
