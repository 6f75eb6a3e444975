import type { AnyObject, JsonObject } from '../../kube/object.ts';
import { compileSelector, type LabelSelector } from '../../kube/selector/label-selector.ts';
import type { Draft, ServedResource } from '../resource.ts';
import { copy, isFields } from '../schema/json.ts';
import { badRequest, forbidden, notFound, StatusError } from '../status-error.ts';
import { timestamp } from '../timestamp.ts';
import { admit, attemptOf } from './admit.ts';
import { type DeleteOptions, deleteOptions } from './delete-options.ts';
import type { Call, Ground, Outcome } from './ground.ts';
import { remove } from './remove.ts';
import { success } from './success.ts';
import { update } from './update.ts';
import { bucketOf, keyOf, objectAs } from './versions.ts';
import { ownOptions, type WriteOptions } from './write-options.ts';

interface Pod extends AnyObject {
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

interface Budget extends AnyObject {
  readonly spec?: { readonly selector?: LabelSelector | null; readonly unhealthyPodEvictionPolicy?: string };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly disruptionsAllowed?: number;
    readonly currentHealthy?: number;
    readonly desiredHealthy?: number;
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason?: string;
      readonly message?: string;
    }[];
    readonly disruptedPods?: Readonly<Record<string, string>>;
  };
}

/** More evictions than this in flight, and the budget's controller has lost track. */
const mostDisrupted = 2000;

/**
 * Deletes a pod if its disruption budget allows: `pods/eviction`. `budgets` is the resource of disruption budgets.
 *
 * @throws StatusError 429 when the budget does not allow it now; 404; 500 for a pod with several budgets
 */
export async function evict(
  ground: Ground,
  call: Call,
  eviction: Draft,
  options: WriteOptions,
  budgets: ServedResource,
): Promise<Outcome> {
  const { name, namespace } = call;
  if (eviction.metadata.name !== name) throw badRequest('name in URL does not match name in Eviction object');
  const given = isFields(eviction.deleteOptions) ? { ...eviction.deleteOptions, kind: 'DeleteOptions' } : {};
  const wish = deleteOptions(given as JsonObject, new URLSearchParams());
  const deletion: DeleteOptions = { ...wish, dryRun: wish.dryRun || options.dryRun };
  await admit(ground, call, {
    ...attemptOf(call, 'CREATE', name, options),
    object: eviction as AnyObject,
    oldObject: undefined,
  });

  const pod = podOf(ground, call);
  let pinned = deletion;
  if (!isUnprotected(pod)) {
    const [budget, ...others] = budgetsOf(ground, budgets, namespace, pod);
    if (others.length > 0) {
      const message =
        'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.';
      throw new StatusError(500, '', message);
    }
    if (budget && isExpendable(pod, budget)) {
      pinned = { ...deletion, resourceVersion: deletion.resourceVersion ?? pod.metadata.resourceVersion };
    } else if (budget) {
      await spend(ground, call, budgets, budget.metadata.name as string, deletion.dryRun);
    }
  }
  const podCall: Call = { ...call, subresource: '' };
  if (!deletion.dryRun) pinned = await markEvicted(ground, podCall, pinned);
  await remove(ground, podCall, pinned);
  return success(201, undefined, 201);
}

function podOf(ground: Ground, call: Call): Pod {
  const entry = ground.store.get(keyOf(call.resource, call.namespace, call.name));
  if (!entry) throw notFound({ group: '', plural: 'pods', name: call.name });
  return objectAs(call.resource, ground.store, entry) as Pod;
}

/** Pods that do not run cannot be disrupted. */
function isUnprotected({ status, metadata }: Pod): boolean {
  return ['Succeeded', 'Failed', 'Pending'].includes(status?.phase ?? '') || metadata.deletionTimestamp !== undefined;
}

/** A pod that is not ready is no loss, if the budget says so or is met without it. */
function isExpendable({ status }: Pod, budget: Budget): boolean {
  const ready = status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True');
  if (ready) return false;
  if (budget.spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  const { currentHealthy = 0, desiredHealthy = 0 } = budget.status ?? {};
  return currentHealthy >= desiredHealthy && desiredHealthy > 0;
}

function budgetsOf(ground: Ground, budgets: ServedResource, namespace: string, pod: Pod): readonly Budget[] {
  return ground.store
    .list(bucketOf(budgets), namespace)
    .map((entry) => ground.store.object(entry) as Budget)
    .filter(({ spec }) => spec?.selector && compileSelector(spec.selector)(pod.metadata.labels));
}

/** Takes one disruption from the budget, or refuses. */
async function spend(
  ground: Ground,
  call: Call,
  budgets: ServedResource,
  name: string,
  dryRun: boolean,
): Promise<void> {
  const budgetCall: Call = { ...call, resource: budgets, name, subresource: 'status' };
  const propose = (current: AnyObject): Draft => {
    const { metadata, status = {} } = current as Budget;
    const allowed = status.disruptionsAllowed ?? 0;
    if ((status.observedGeneration ?? 0) < (metadata.generation ?? 0)) throw beingProcessed(name);
    if (allowed < 0) {
      throw forbidden({ group: 'policy', plural: 'poddisruptionbudget', name }, 'pdb disruptions allowed is negative');
    }
    if (Object.keys(status.disruptedPods ?? {}).length > mostDisrupted) {
      const why = 'DisruptedPods map too big - too many evictions not confirmed by PDB controller';
      throw forbidden({ group: 'policy', plural: 'poddisruptionbudget', name }, why);
    }
    if (allowed === 0) throw exhausted(name, status);
    const draft = copy(current) as unknown as Draft;
    draft.status.disruptionsAllowed = allowed - 1;
    draft.status.disruptedPods = { ...status.disruptedPods, [call.name]: timestamp(ground.clock.now()) };
    return draft;
  };
  await update(ground, budgetCall, { propose }, { ...ownOptions('UpdateOptions', 'kube-apiserver'), dryRun });
}

/** Says on the pod why it ends. Returns the deletion, adjusted to the version that made. */
async function markEvicted(ground: Ground, call: Call, deletion: DeleteOptions): Promise<DeleteOptions> {
  const { resourceVersion } = deletion;
  const propose = (current: AnyObject): Draft => {
    const draft = copy(current) as unknown as Draft;
    if (resourceVersion !== undefined) draft.metadata.resourceVersion = resourceVersion;
    const condition = {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'EvictionByEvictionAPI',
      message: 'Eviction API: evicting',
      lastProbeTime: null,
      lastTransitionTime: timestamp(ground.clock.now()),
    };
    const others = (draft.status?.conditions ?? []).filter(({ type }: { type: string }) => type !== condition.type);
    draft.status = { ...draft.status, conditions: [...others, condition] };
    return draft;
  };
  const status: Call = { ...call, subresource: 'status' };
  const entry = await update(ground, status, { propose }, ownOptions('UpdateOptions', 'kube-apiserver'));
  return resourceVersion === undefined ? deletion : { ...deletion, resourceVersion: String(entry.revision) };
}

const violation = "Cannot evict pod as it would violate the pod's disruption budget.";

function exhausted(name: string, status: NonNullable<Budget['status']>): StatusError {
  const { desiredHealthy = 0, currentHealthy = 0, conditions = [] } = status;
  const condition = conditions.find(({ type, status: is }) => type === 'DisruptionAllowed' && is === 'False');
  const not = `The disruption budget ${name} does not allow evicting pods currently`;
  const message =
    condition?.message && condition.reason === 'SyncFailed'
      ? `${not} because it failed sync: ${condition.message}`
      : currentHealthy <= desiredHealthy
        ? `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`
        : condition?.message
          ? `${not} (${condition.reason}): ${condition.message}`
          : not;
  return new StatusError(429, 'TooManyRequests', violation, {
    causes: [{ reason: 'DisruptionBudget', message }],
  });
}

function beingProcessed(name: string): StatusError {
  const message = `The disruption budget ${name} is still being processed by the server.`;
  return new StatusError(429, 'TooManyRequests', violation, {
    causes: [{ reason: 'DisruptionBudget', message }],
    retryAfterSeconds: 10,
  });
}
