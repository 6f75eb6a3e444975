import type { Glance } from '../../control/controller.ts';
import { refTo } from '../../control/decision.ts';
import type { Sealed } from '../../control/sealed.ts';
import type { Client } from '../../kube/client.ts';
import { isKubeError } from '../../kube/error.ts';
import { find } from '../../kube/find.ts';
import type { AnyObject } from '../../kube/object.ts';
import { qualifiedName, type ResourceType } from '../../kube/resource-type.ts';
import { workedOn } from '../decide/advance.ts';
import { barredBy } from '../decide/barred.ts';
import { type Change, takeChange } from '../decide/change.ts';
import { driftOf, isTold } from '../decide/drift.ts';
import { foreseen } from '../decide/foreseen.ts';
import { type Hindrances, neededBy } from '../decide/held-up.ts';
import { imported } from '../decide/imported.ts';
import { isOverdue } from '../decide/overdue.ts';
import { rest } from '../decide/rest.ts';
import { thingsOf } from '../decide/task/things-of.ts';
import { type Belongings, type InstanceView, type Thing, type ThingRef, thingId } from '../decide/view.ts';
import { workOf } from '../decide/work-of.ts';
import { groupOf } from '../graph/workload.ts';
import { annotations, group, heritage, kudoManagers, labels } from '../keys.ts';
import { usesRandomness } from '../render/uses-randomness.ts';
import type { Instance, InstanceStatus } from '../resources/instance.ts';
import { type OperatorVersion, operatorVersion } from '../resources/operator-version.ts';
import { instanceByLabel, type KudoCaches, versionKey } from './caches.ts';
import type { Kinds } from './kinds.ts';
import { randomKeyOf } from './random-key.ts';
import type { Verdict, Verdicts } from './verdicts.ts';

export interface InstanceSources {
  readonly caches: KudoCaches;
  readonly client: Client;
  readonly kinds: Kinds;
  /** What the server has said of objects that seemed to have drifted. */
  readonly verdicts: Verdicts;
  readonly seal: (value: string) => Sealed;
  /** So many random bytes, for a key that is kept from then on. */
  readonly randomBytes: (count: number) => Uint8Array;
  /** The image of the container that waits in the pods of Pipe tasks. */
  readonly waiterImage: string;
}

/**
 * Reads all that concerns an Instance. While no plan runs, nothing is read from the server but what seems to have drifted, each
 * version once; while one does, or is to begin, what its steps look at and nobody watches.
 */
export async function instanceView(
  key: string,
  { object: instance, now, outcomes, signal }: Glance<Instance>,
  sources: InstanceSources,
): Promise<InstanceView> {
  const namespace = instance.metadata.namespace ?? '';
  const base = { now, outcomes, instance, versions: await versionsFor(instance, namespace, sources, signal) };
  const nothing = { work: [], world: {}, belongings: { applied: {}, workloads: [] } };
  if (barredBy(base) !== undefined) return { ...base, ...nothing, belongings: belongingsOf(key, instance, sources) };
  const before = imported({ ...base, ...nothing });
  const change = ahead({ ...base, ...nothing, instance: { ...instance, status: before } });
  const begins = change && foreseen(base, change);
  const { status = before } = begins?.instance ?? {};
  const { accepted, wanted } = (begins ?? base).versions;
  const version = accepted ?? (status.accepted ? wanted : undefined);
  const seen = { ...base, ...(change && { change }) };
  const { execution } = status;
  if (!execution || !version) {
    const view = { ...seen, ...nothing, belongings: belongingsOf(key, instance, sources) };
    return execution ? view : { ...view, belongings: await confirmed(view, status, key, sources, signal) };
  }
  const randomKey = usesRandomness(version) ? await randomKeyOf(instance, sources, signal) : undefined;
  const work = workOf({
    instance,
    status: { ...status, execution },
    version,
    waiterImage: sources.waiterImage,
    ...(randomKey && { randomKey }),
  });
  const things = thingsOf(work);
  const world = await look(things, key, sources, signal);
  const view = { ...seen, ...nothing, work, world, ...(randomKey && { randomKey }) };
  // What ends a plan for good must be so on the server: a cache may still show what the plan has deleted.
  const fatal = workedOn({ ...status, execution }, view).some(({ news }) => news.status === 'FATAL_ERROR');
  if (fatal) return { ...view, world: await look(things, key, sources, signal, () => undefined) };
  if (!isOverdue(execution, instance, now)) return view;
  return { ...view, hindrances: await hindrancesOf(view, key, sources, signal) };
}

/** What a Secret holds is nobody's business here: only whether it is there. What cannot be read is not taken for missing. */
async function hindrancesOf(
  view: Pick<InstanceView, 'work' | 'world'>,
  key: string,
  sources: InstanceSources,
  signal: AbortSignal,
): Promise<Hindrances> {
  const needed = neededBy(view);
  const found = await look(needed, key, sources, signal);
  const missing = needed.filter((ref) => {
    const thing = found[thingId(ref)];
    return thing?.is === 'known' && thing.object === undefined;
  });
  return { missing, pods: sources.caches.pods.by('instance', key) };
}

/** What the edit leads to. One that is deleted is edited no more. */
function ahead(view: InstanceView): Change | undefined {
  const { instance } = view;
  return instance.metadata.deletionTimestamp === undefined ? takeChange(view, refTo(instance)) : undefined;
}

/**
 * A cache that lags may not show a version, and an Instance would go without its cleanup for that: the server has the last word. Where it
 * does not let us look, or we do not look at all, the version may be there.
 */
async function versionsFor(
  instance: Instance,
  namespace: string,
  { caches, client }: InstanceSources,
  signal: AbortSignal,
): Promise<InstanceView['versions']> {
  const versions = client.resource<OperatorVersion>(operatorVersion.type);
  const get = async (key: string | undefined): Promise<OperatorVersion | string | undefined> => {
    if (key === undefined) return undefined;
    // A name with a slash is the name of nothing, not of what stands before the slash.
    const slash = key.indexOf('/');
    const [at, name] = [key.slice(0, slash), key.slice(slash + 1)];
    if (name === '') return undefined;
    const shown = caches.versions.get(key);
    if (shown) return shown;
    if (!caches.sees(at)) return `this operator does not look at namespace ${at}: name it in --watch-namespace as well`;
    try {
      return await find(versions, { namespace: at, name }, { signal });
    } catch (error) {
      if (isKubeError(error, 'forbidden')) return error.message;
      throw error;
    }
  };
  const { spec, status } = instance;
  const [wantedKey, acceptedKey] = [spec.operatorVersion, status?.accepted?.operatorVersion].map(
    (reference) => reference && versionKey(reference, namespace),
  );
  const wanted = await get(wantedKey);
  const accepted = acceptedKey === wantedKey ? wanted : await get(acceptedKey);
  const found = Object.entries({ wanted, accepted });
  const unreadable = Object.fromEntries(found.filter(([, one]) => typeof one === 'string'));
  return {
    ...Object.fromEntries(found.filter(([, one]) => typeof one === 'object')),
    ...(Object.keys(unreadable).length > 0 && { unreadable }),
  };
}

async function look(
  refs: readonly ThingRef[],
  key: string,
  sources: InstanceSources,
  signal: AbortSignal,
  /** Where it is looked for before the server is asked. */
  shown: typeof cached = cached,
): Promise<Record<string, Thing>> {
  const [namespace = ''] = key.split('/');
  // What takes time first, caches last: a cache that was read before waiting would be older than it need be.
  const unread = new Map<string, Thing>();
  const types = new Map<string, ResourceType>();
  await Promise.all(
    refs.map(async (ref) => {
      const id = thingId(ref);
      try {
        const type = await sources.kinds.find(ref.apiVersion, ref.kind, signal);
        if (!type) return void unread.set(id, { is: 'unknown-kind' });
        types.set(id, type);
        const seen = shown(type, ref, namespace, sources);
        if (seen && !mustBeReadWhole(seen)) return;
        unread.set(id, known(type, await read(type, ref, namespace, sources, signal), key, sources));
      } catch (error) {
        if (!isKubeError(error)) throw error;
        unread.set(id, { is: 'unreadable', message: error.message });
      }
    }),
  );
  const world: Record<string, Thing> = {};
  const left: ThingRef[] = [];
  for (const ref of refs) {
    const id = thingId(ref);
    const type = types.get(id);
    const seen = type && shown(type, ref, namespace, sources);
    const asked = unread.get(id);
    if (type && seen && !mustBeReadWhole(seen)) world[id] = known(type, seen, key, sources);
    else if (asked) world[id] = asked;
    else left.push(ref);
  }
  // What left its cache meanwhile is gone, has lost its labels, or was written by KUDO: few at a time, if any.
  return left.length === 0 ? world : { ...world, ...(await look(left, key, sources, signal, shown)) };
}

/** The object as the cache has it. Not finding it means little: it may not have our labels yet. */
function cached(
  type: ResourceType,
  ref: ThingRef,
  namespace: string,
  { caches }: InstanceSources,
): AnyObject | undefined {
  const key = type.namespaced ? `${namespace}/${ref.name}` : ref.name;
  const shelf = caches.objects.get(qualifiedName(type));
  // Where we may not watch, the cache has what we wrote ourselves, and would have it for ever.
  if (shelf && isKubeError(shelf.troubleIn(namespace), 'forbidden')) return undefined;
  if (shelf) return shelf.type.version === type.version ? shelf.get(key) : undefined;
  if (qualifiedName(type) === qualifiedName(caches.instances.type))
    return caches.instances.get(key) as AnyObject | undefined;
  if (qualifiedName(type) === qualifiedName(caches.versions.type))
    return caches.versions.get(key) as AnyObject | undefined;
  return undefined;
}

/**
 * Caches leave out which fields are whose; that is needed when KUDO's objects become ours, for the first time or after KUDO
 * had them back. See `adopt`.
 */
function mustBeReadWhole({ apiVersion, metadata: { managedFields = [] } }: AnyObject): boolean {
  if (groupOf(apiVersion) === group) return false;
  return managedFields.some(
    ({ manager = '', operation, subresource }) =>
      operation === 'Update' && !subresource && (kudoManagers as readonly string[]).includes(manager),
  );
}

/** The object as the server has it. There is none of a kind that is served no more: its definition was removed. */
async function read(
  type: ResourceType,
  ref: ThingRef,
  namespace: string,
  sources: InstanceSources,
  signal: AbortSignal,
): Promise<AnyObject | undefined> {
  try {
    return await stored(type, ref, namespace, sources, signal);
  } catch (error) {
    const isUnnamed = isKubeError(error) && isKubeError(error.cause, 'not-found');
    if (!isUnnamed || (await sources.kinds.serves(ref.apiVersion, ref.kind, signal))) throw error;
    return undefined;
  }
}

/** The object, or the server's word that there is none of this name. */
function stored(
  type: ResourceType,
  { name }: ThingRef,
  namespace: string,
  { client }: InstanceSources,
  signal: AbortSignal,
): Promise<AnyObject | undefined> {
  return find(client.resource<AnyObject>(type), type.namespaced ? { namespace, name } : { name }, { signal });
}

function known(type: ResourceType, object: AnyObject | undefined, key: string, { caches }: InstanceSources): Thing {
  const { namespaced } = type;
  const holder = object && !namespaced ? holderOf(object, key, caches) : undefined;
  return {
    is: 'known',
    namespaced,
    watched: isWatched(type, object, key, caches),
    ...(object && { object }),
    ...(holder !== undefined && { holder }),
  };
}

/**
 * Whether changes of an object wake this Instance: its kind can be watched, and the object has the labels that the watch goes
 * by. One that is not there yet will have them.
 */
function isWatched(type: ResourceType, object: AnyObject | undefined, key: string, caches: KudoCaches): boolean {
  const name = qualifiedName(type);
  if (name === qualifiedName(caches.instances.type)) return true;
  const shelf = [...caches.objects.values(), caches.replicaSets, caches.pods].find(
    (one) => qualifiedName(one.type) === name,
  );
  if (!shelf || shelf.troubleIn(key.slice(0, key.indexOf('/')))) return false;
  return object === undefined || isShown(object, key);
}

/** Whether an object has the labels that the watches of this Instance go by. */
function isShown(object: AnyObject, key: string): boolean {
  return object.metadata.labels?.[labels.heritage] === heritage && instanceByLabel(object).includes(key);
}

/**
 * The other Instance that an object of the cluster says it belongs to, if there is one. Who does not say where is not known;
 * one in a namespace that is not looked at, or cannot be read, is believed to be there.
 */
function holderOf({ metadata }: AnyObject, key: string, { instances, sees }: KudoCaches): string | undefined {
  const [namespace, name] = [metadata.annotations?.[annotations.namespace], metadata.labels?.[labels.instance]];
  if (namespace === undefined || name === undefined) return undefined;
  const holder = `${namespace}/${name}`;
  return holder !== key && (instances.get(holder) || !sees(namespace) || instances.isBlindIn(namespace))
    ? holder
    : undefined;
}

function belongingsOf(key: string, instance: Instance, { caches, kinds }: InstanceSources): Belongings {
  const namespace = instance.metadata.namespace ?? '';
  const applied: Record<string, AnyObject | null> = {};
  for (const ref of (instance.status as InstanceStatus | undefined)?.objects ?? []) {
    const type = kinds.known(ref.apiVersion, ref.kind);
    const shelf = type && caches.objects.get(qualifiedName(type));
    // A watch that was merely interrupted will go on, and nothing would tell what it shows once more.
    if (!type || !shelf || isKubeError(shelf.troubleIn(namespace), 'forbidden', 'not-found')) continue;
    applied[thingId(ref)] = shelf.get(type.namespaced ? `${namespace}/${ref.name}` : ref.name) ?? null;
  }
  const shelves = [
    ...['deployments.apps', 'statefulsets.apps', 'daemonsets.apps'].flatMap((name) => caches.objects.get(name) ?? []),
    caches.replicaSets,
    caches.pods,
  ];
  // Of a watch that was merely interrupted counts what was there a moment ago; a kind that is not served has none.
  const barred = shelves.filter((shelf) => isKubeError(shelf.troubleIn(namespace), 'forbidden'));
  return {
    applied,
    workloads: shelves.flatMap((shelf) => shelf.by('instance', key)),
    unreadable: barred.map(({ type }) => qualifiedName(type)),
  };
}

/**
 * The same, with what seems to have drifted as the server has it: a cache may show what was before it was made, and a plan would be
 * run for that. What has lost our labels has left our sight, and counts as gone. What the server does not tell is left open.
 */
async function confirmed(
  view: InstanceView,
  status: InstanceStatus,
  key: string,
  sources: InstanceSources,
  signal: AbortSignal,
): Promise<Belongings> {
  const { belongings, instance } = view;
  const { verdicts, kinds } = sources;
  if (instance.spec.drift === 'ignore' || driftOf(belongings).length === 0) return belongings;
  const applied = judged(belongings.applied, verdicts);
  const drifted = driftOf({ ...belongings, applied });
  const asked = isSetRight({ ...view, belongings: { ...belongings, applied } }, status)
    ? drifted
    : drifted.filter(({ id }) => !isKnown(id));
  const unconfirmed: string[] = [];
  await Promise.all(
    asked.map(async ({ id }) => {
      const [apiVersion = '', kind = '', name = ''] = id.split(' ');
      const type = kinds.known(apiVersion, kind);
      if (!type) return;
      try {
        const ref = { apiVersion, kind, name };
        const found = await stored(type, ref, instance.metadata.namespace ?? '', sources, signal);
        const sure = found && isShown(found, key) ? found : null;
        if (found) verdicts.keep(applied[id], found, verdictOf(id, sure));
        applied[id] = sure;
      } catch (error) {
        if (!isKubeError(error)) throw error;
        // Where we may not look, the cache is all that there is.
        if (error.kind !== 'forbidden') unconfirmed.push(id);
      }
    }),
  );
  return { ...belongings, applied, ...(unconfirmed.length > 0 && { unconfirmed }) };

  /** What is gone and was told to be needs no other word, for it may last for long; of what is there the server has told whose it is. */
  function isKnown(id: string): boolean {
    const shown = applied[id];
    return shown === null ? isTold(drifted, status.conditions) : verdicts.of(shown) === 'changed';
  }
}

/** Whether a plan begins for what drifted: then the server has the last word, for the cache may show what was set right since. */
function isSetRight(view: InstanceView, status: InstanceStatus): boolean {
  return view.instance.metadata.deletionTimestamp === undefined && rest(status, view).repair !== undefined;
}

/** What plans have applied, but for what the server has said to be as it was left. */
function judged(applied: Belongings['applied'], verdicts: Verdicts): Record<string, AnyObject | null> {
  const all = Object.entries(applied).map(([id, shown]) => ({ id, shown, verdict: verdicts.of(shown) }));
  const left = all.filter(({ verdict }) => verdict !== 'as it was left');
  return Object.fromEntries(left.map(({ id, shown, verdict }) => [id, verdict === 'gone' ? null : shown]));
}

function verdictOf(id: string, object: AnyObject | null): Verdict {
  if (object === null) return 'gone';
  return driftOf({ applied: { [id]: object }, workloads: [] }).length > 0 ? 'changed' : 'as it was left';
}
