import type { Client } from '../../kube/client.ts';
import { isKubeError, KubeError } from '../../kube/error.ts';
import type { AnyObject } from '../../kube/object.ts';
import type { Family } from '../../portrait/family.ts';
import { CommandError } from '../../portrait/text/command-error.ts';
import { didYouMean } from '../../portrait/text/near-names.ts';
import type { Workload } from '../../portrait/workload.ts';
import { theWorkload, workloadsOf } from './families.ts';
import { shown } from './render/line.ts';

/** An object that somebody named, and what its kind can do. */
export interface Found {
  readonly workload: Workload;
  readonly object: AnyObject;
}

export interface Place {
  readonly client: Client;
  readonly families: readonly Family[];
  /** Where to look. */
  readonly namespace: string;
  /** Look in all namespaces. */
  readonly everywhere?: boolean;
}

/**
 * The workload that somebody means by `NAME`, `KIND/NAME` or `KIND NAME`. A name may be what people call it: the name of a CF app.
 *
 * Errors: `CommandError` that names those which may be meant.
 */
export async function findSubject(place: Place, words: readonly string[]): Promise<Found> {
  const { kind, name } = wanted(words);
  const all = workloadsOf(place.families);
  const workloads = kind === undefined ? all : [theWorkload(all, kind)];
  // By its name is cheap; what somebody calls it can be known only from all of them.
  const direct = await Promise.all(workloads.map((workload) => byName(place, workload, name)));
  const named = direct.flatMap((found) => (found instanceof KubeError ? [] : found));
  if (named.length > 0) return only(named, name);
  const listed = workloads.map((workload) =>
    inNamespace(place, workload, place.everywhere ? undefined : place.namespace),
  );
  const everything = (await Promise.all(listed)).flat();
  const titled = everything.filter(({ workload, object }) => workload.summarize(object).subject.title === name);
  if (titled.length > 0) return only(titled, name);
  // It may be of a kind that may not be seen.
  for (const hidden of direct) if (hidden instanceof KubeError) throw hidden;
  const what = kind === undefined ? 'workload' : (workloads[0]?.type.kind ?? kind);
  throw await unknown(place, workloads, { what, name }, everything);
}

function wanted(words: readonly string[]): { readonly kind?: string; readonly name: string } {
  const [first = '', second, ...rest] = words;
  if (rest.length > 0) throw new CommandError('name one workload: NAME, KIND/NAME or KIND NAME');
  if (second !== undefined) return { kind: first, name: second };
  const slash = first.indexOf('/');
  return slash < 0 ? { name: first } : { kind: first.slice(0, slash), name: first.slice(slash + 1) };
}

async function byName(place: Place, workload: Workload, name: string): Promise<readonly Found[] | KubeError> {
  // What cannot be a name may still be a title.
  if (!/^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/.test(name)) return [];
  const { client, namespace, everywhere } = place;
  const resource = client.resource(workload.type);
  try {
    const objects = everywhere
      ? (await resource.list({ fieldSelector: { 'metadata.name': name } })).items
      : [await resource.get({ namespace, name })];
    return objects.map((object) => ({ workload, object }));
  } catch (error) {
    if (isKubeError(error, 'not-found')) return [];
    if (isKubeError(error, 'forbidden')) return error;
    throw error;
  }
}

async function inNamespace({ client }: Place, workload: Workload, namespace?: string): Promise<readonly Found[]> {
  try {
    const { items } = await client.resource(workload.type).list(namespace === undefined ? {} : { namespace });
    return items.map((object) => ({ workload, object }));
  } catch (error) {
    if (isKubeError(error, 'not-found', 'forbidden')) return [];
    throw error;
  }
}

/** A workload that another one made speaks for itself only when nobody else has the name. */
function only(found: readonly Found[], name: string): Found {
  const own = found.filter(({ workload, object }) => workload.summarize(object).partOf === undefined);
  const [first, ...others] = own.length > 0 ? own : found;
  if (first && others.length === 0) return first;
  const candidates = [first, ...others].flatMap((one) => (one ? [titleOf(one)] : []));
  throw new CommandError(`${quoted(name)} is the name of several workloads; say which: ${candidates.join(', ')}`);
}

function titleOf({ workload, object }: Found): string {
  const { namespace, name } = object.metadata;
  return `${workload.type.kind}/${name} -n ${namespace}`;
}

async function unknown(
  place: Place,
  workloads: readonly Workload[],
  { what, name }: { readonly what: string; readonly name: string },
  here: readonly Found[],
): Promise<CommandError> {
  const where = place.everywhere ? 'any namespace' : `namespace ${quoted(place.namespace)}`;
  const start = `no ${what} in ${where} is called ${quoted(name)}.`;
  const everywhere = place.everywhere
    ? here
    : (await Promise.all(workloads.map((workload) => inNamespace(place, workload)))).flat();
  const elsewhere = everywhere.find((one) => namesOf(one).includes(name))?.object.metadata.namespace;
  if (elsewhere !== undefined)
    return new CommandError(`${start} There is one in namespace ${elsewhere}: add -n ${elsewhere}`);
  const names = [...new Set(here.flatMap(namesOf))].map((one) => shown(one, 253));
  const own = here.filter(({ workload, object }) => workload.summarize(object).partOf === undefined);
  const called = own.map((one) => shown(namesOf(one).at(-1) ?? '', 253));
  if (names.length === 0) return new CommandError(`${start} There is none at all: see cutover list -A`);
  return new CommandError(`${start}${didYouMean(name, names) || ` There are: ${called.slice(0, 10).join(', ')}`}`);
}

function namesOf({ workload, object }: Found): readonly string[] {
  const { title } = workload.summarize(object).subject;
  return [object.metadata.name ?? '', ...(title === undefined ? [] : [title])];
}

function quoted(text: string): string {
  return JSON.stringify(shown(text, 253));
}
