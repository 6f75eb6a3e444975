import type { Client } from '../../../kube/client.ts';
import { isKubeError } from '../../../kube/error.ts';
import type { AnyObject } from '../../../kube/object.ts';
import type { Family } from '../../../portrait/family.ts';
import type { Plan } from '../../../portrait/plan.ts';
import { CommandError } from '../../../portrait/text/command-error.ts';
import type { Workload } from '../../../portrait/workload.ts';
import { aroundOver, type Beside, besideOf, namedKey } from '../gather.ts';
import type { Scene } from '../scene.ts';
import type { SteerShell } from '../steer-shell.ts';
import { type Planner, planAround, planFor, refusedPlan } from './make-plan.ts';
import { applied, liveObject, patched } from './stored.ts';

/** What became of the objects that somebody asked about. */
export interface Answer {
  readonly plans: readonly Plan[];
  /** Objects that are not planned, and why. */
  readonly notes: readonly string[];
}

/** The plan of a merge patch of a workload that is there. */
export async function patchedPlan(
  shell: SteerShell,
  scene: Scene,
  words: readonly string[],
  patch: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  const { client } = scene;
  const { object: before, ...planner } = await scene.find(words);
  const { workload } = planner;
  const { namespace, name = '' } = before.metadata;
  const now = shell.clock.now();
  try {
    const [after, beside] = await Promise.all([
      patched(client, workload.type, { namespace, name }, patch),
      besideOf(client, workload, namespace ?? 'default'),
    ]);
    return { plans: [await planFor(client, planner, { before, after }, { now, named: new Map(), beside })], notes: [] };
  } catch (error) {
    if (!isKubeError(error, 'refused')) throw dryRunRefused(error);
    return { plans: [refusedPlan(planner, before, wordsOf(error))], notes: [] };
  }
}

/** Plans of all workloads of a manifest, each as the server would store it. */
export async function manifestPlans(
  shell: SteerShell,
  { client, namespace }: Scene,
  given: readonly AnyObject[],
  fieldManager: string | undefined,
): Promise<Answer> {
  const families = await familiesFor(shell, given);
  const objects = given.map((object) => inNamespace(object, namespace));
  const named = namedOf(families, objects);
  const now = shell.clock.now();
  const planned = objects.flatMap((object) => {
    const planner = plannerOf(families, object);
    return planner ? [{ object, planner }] : [];
  });
  const read = besideOnce(client);
  const plans = await Promise.all(
    planned.map(async ({ object, planner }) => {
      const { type } = planner.workload;
      const reading = read(planner.workload, object.metadata.namespace ?? namespace);
      const live = await liveObject(client, type, object);
      try {
        const after = await applied(client, type, { object, live, manager: fieldManager });
        const beside = await reading;
        return await planFor(client, planner, { ...(live && { before: live }), after }, { now, named, beside });
      } catch (error) {
        if (!isKubeError(error, 'refused')) throw dryRunRefused(error);
        return refusedPlan(planner, live ?? object, wordsOf(error));
      }
    }),
  );
  return { plans, notes: unplanned(families, objects) };
}

/** What is beside objects of one kind in one namespace is read once, while the server is asked what it would store. */
function besideOnce(client: Client): (workload: Workload, namespace: string) => Promise<Beside> {
  const reads = new Map<string, Promise<Beside>>();
  return (workload, namespace) => {
    const key = `${workload.type.kind}/${namespace}`;
    const reading = reads.get(key) ?? besideOf(client, workload, namespace);
    // Whoever needs it hears of its failure; an object that is refused before does not.
    reading.catch(() => {});
    reads.set(key, reading);
    return reading;
  };
}

/** Against the manifest alone: everything in it is new. */
export async function offlinePlans(
  shell: SteerShell,
  given: readonly AnyObject[],
  namespace: string | undefined,
): Promise<Answer> {
  const families = await familiesFor(shell, given);
  const objects = given.map((object) => inNamespace(object, namespace ?? 'default'));
  const named = namedOf(families, objects);
  const plans = objects.flatMap((after) => {
    const planner = plannerOf(families, after);
    if (!planner) return [];
    const here = after.metadata.namespace ?? 'default';
    const around = aroundOver({ namespace: here, beside: new Map(), named, now: shell.clock.now() });
    return [planAround(planner, { after }, around)];
  });
  return { plans, notes: ['planned without a cluster: every object counts as new', ...unplanned(families, objects)] };
}

/** The families of the kinds that somebody asks about. */
function familiesFor(shell: SteerShell, objects: readonly AnyObject[]): Promise<readonly Family[]> {
  const groups = new Set(objects.map(({ apiVersion }) => apiVersion.split('/')[0]));
  const sources = shell.families.filter(({ group }) => groups.has(group));
  return Promise.all(sources.map((source) => source.load()));
}

function plannerOf(families: readonly Family[], { apiVersion, kind }: AnyObject): Planner | undefined {
  const [group] = apiVersion.split('/');
  for (const family of families) {
    const workload = family.workloads.find(({ type }) => type.kind === kind && type.group === group);
    if (workload) return { family, workload };
  }
  return undefined;
}

/** What the manifest brings along is there when it has been applied. */
function namedOf(families: readonly Family[], objects: readonly AnyObject[]): ReadonlyMap<string, AnyObject> {
  const types = families.flatMap(({ kinds }) => kinds.map(({ type }) => type));
  return new Map(
    objects.flatMap((object) => {
      const [group] = object.apiVersion.split('/');
      const type = types.find((one) => one.kind === object.kind && one.group === group);
      const { namespace = '', name = '' } = object.metadata;
      return type ? [[namedKey(type, namespace, name), object] as const] : [];
    }),
  );
}

/** One line about all that is not planned. */
function unplanned(families: readonly Family[], objects: readonly AnyObject[]): readonly string[] {
  const others = objects.filter((object) => !plannerOf(families, object));
  const names = others.slice(0, 10).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  const more = others.length > names.length ? ` and ${others.length - names.length} more` : '';
  return names.length === 0 ? [] : [`not planned, for they are no workloads: ${names.join(', ')}${more}`];
}

function inNamespace(object: AnyObject, namespace: string): AnyObject {
  return { ...object, metadata: { ...object.metadata, namespace: object.metadata.namespace || namespace } };
}

/** A dry run needs the same permission as the write that it tries. */
function dryRunRefused(error: unknown): unknown {
  if (!isKubeError(error, 'forbidden')) return error;
  const message = error.status?.message ?? error.message;
  return new CommandError(
    `the server may not be asked what it would store: ${message}; a dry run needs the permission of the write; without it, plan the file as a new object with --offline`,
  );
}

function wordsOf(error: Error & { readonly status?: { readonly message?: string } | undefined }): string {
  return error.status?.message ?? error.message;
}
