import type { Client } from '../../kube/client.ts';
import { isKubeError, KubeError } from '../../kube/error.ts';
import type { AnyObject } from '../../kube/object.ts';
import type { Family } from '../../portrait/family.ts';
import type { Summary } from '../../portrait/summary.ts';
import { CommandError } from '../../portrait/text/command-error.ts';
import { didYouMean } from '../../portrait/text/near-names.ts';
import type { Workload } from '../../portrait/workload.ts';
import { groupsOf, kindsOf, theKind } from './families.ts';
import { shown } from './render/line.ts';
import type { FamilySource, KnownKind } from './steer-shell.ts';
import { missingKinds } from './told.ts';

/** An object that somebody named, and what its kind can do. */
export interface Found {
  readonly family: Family;
  readonly workload: Workload;
  readonly object: AnyObject;
}

export interface Place {
  readonly client: Client;
  readonly sources: readonly FamilySource[];
  /** Where to look. */
  readonly namespace: string;
  /** Look in all namespaces. */
  readonly everywhere: boolean;
}

/** An object that may be meant. */
interface Candidate {
  readonly kind: KnownKind;
  readonly object: AnyObject;
  readonly summary: Summary;
}

/**
 * The workload that somebody means by `NAME`, `KIND/NAME` or `KIND NAME`. A name may be what people call it: the name of a CF app.
 * Only the family of the one that is found is loaded.
 *
 * Errors: `CommandError` that names those which may be meant.
 */
export async function findSubject(place: Place, words: readonly string[]): Promise<Found> {
  const { kind, name } = wanted(words);
  const all = kindsOf(place.sources);
  const kinds = kind === undefined ? all : [theKind(all, kind)];
  const where = place.everywhere ? undefined : place.namespace;
  // By its name is cheap; what somebody calls it can be known only from all of them. Both are asked: whoever names an object as
  // people call another one must not get what is meant for that.
  const [direct, titled] = await Promise.all([
    Promise.all(kinds.map((one) => byName(place, one, name))),
    listed(
      place,
      kinds.filter((one) => one.titled),
      where,
    ),
  ]);
  const named = direct.flatMap((found) => (Array.isArray(found) ? found : []));
  const called = titled.filter(({ object, summary }) => {
    return summary.subject.title === name && object.metadata.name !== name;
  });
  if (named.length + called.length > 0) return opened(place, only([...named, ...called], name));
  if (direct.every((found) => found === 'no kind')) throw missingKinds(kinds.map(({ type }) => type.kind).join(', '));
  const here = await listed(place, kinds, where);
  await throwHidden(place, kinds, direct);
  const what = kind === undefined ? 'workload' : (kinds[0]?.type.kind ?? kind);
  throw await unknown(place, kinds, { what, name }, here);
}

function wanted(words: readonly string[]): { readonly kind?: string; readonly name: string } {
  const [first = '', second, ...rest] = words;
  if (rest.length > 0) throw new CommandError('name one workload: NAME, KIND/NAME or KIND NAME');
  if (second !== undefined) return { kind: first, name: second };
  const slash = first.indexOf('/');
  return slash < 0 ? { name: first } : { kind: first.slice(0, slash), name: first.slice(slash + 1) };
}

async function byName(
  place: Place,
  kind: KnownKind,
  name: string,
): Promise<readonly Candidate[] | KubeError | 'no kind'> {
  // What cannot be a name may still be a title.
  if (!/^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/.test(name)) return [];
  const { client, namespace, everywhere } = place;
  const resource = client.resource(kind.type);
  try {
    const objects = everywhere
      ? (await resource.list({ fieldSelector: { 'metadata.name': name } })).items
      : [await resource.get({ namespace, name })];
    return await summarized(kind, objects);
  } catch (error) {
    if (isKubeError(error, 'not-found')) return error.status?.details?.name ? [] : 'no kind';
    if (isKubeError(error, 'forbidden')) return error;
    throw error;
  }
}

async function listed(place: Place, kinds: readonly KnownKind[], namespace?: string): Promise<readonly Candidate[]> {
  const lists = kinds.map(async (kind) => {
    try {
      const resource = place.client.resource(kind.type);
      return summarized(kind, (await resource.list(namespace === undefined ? {} : { namespace })).items);
    } catch (error) {
      if (isKubeError(error, 'not-found', 'forbidden')) return [];
      throw error;
    }
  });
  return (await Promise.all(lists)).flat();
}

/** It may be of a kind that may not be seen. Somebody who may not is refused also where there is no such kind. */
async function throwHidden({ client }: Place, kinds: readonly KnownKind[], answers: readonly unknown[]): Promise<void> {
  if (!answers.some((answer) => answer instanceof KubeError)) return;
  const groups = await groupsOf(client);
  const hidden = answers.find(
    (answer, index) => answer instanceof KubeError && groups.has(kinds[index]?.type.group ?? ''),
  );
  if (hidden) throw hidden;
  if (!answers.some((answer) => Array.isArray(answer)))
    throw missingKinds(kinds.map(({ type }) => type.kind).join(', '));
}

async function summarized(kind: KnownKind, objects: readonly AnyObject[]): Promise<readonly Candidate[]> {
  if (objects.length === 0) return [];
  const summarize = await kind.summarizer();
  return objects.map((object) => ({ kind, object, summary: summarize(object) }));
}

async function opened({ sources }: Place, { kind, object }: Candidate): Promise<Found> {
  const family = await sources.find(({ kinds }) => kinds.includes(kind))?.load();
  const workload = family?.workloads.find(({ type }) => type.kind === kind.type.kind);
  if (!family || !workload) throw new CommandError(`nothing is known of ${kind.type.kind}`);
  return { family, workload, object };
}

/** A workload that another one made speaks for itself only when nobody else has the name. */
function only(found: readonly Candidate[], name: string): Candidate {
  const own = found.filter(({ summary }) => summary.partOf === undefined);
  const meant = own.length > 0 ? own : found;
  const [first, ...others] = meant;
  if (first && others.length === 0) return first;
  const titles = meant.map(({ kind, object: { metadata }, summary: { subject } }) => {
    // By the one of its two names that is not in question.
    const own = metadata.name === name && subject.title ? shown(subject.title, 253) : metadata.name;
    return `${kind.type.kind}/${own} -n ${metadata.namespace}`;
  });
  throw new CommandError(`${quoted(name)} is the name of several workloads; say which: ${titles.join(', ')}`);
}

async function unknown(
  place: Place,
  kinds: readonly KnownKind[],
  { what, name }: { readonly what: string; readonly name: string },
  here: readonly Candidate[],
): Promise<CommandError> {
  const where = place.everywhere ? 'any namespace' : `namespace ${quoted(place.namespace)}`;
  const start = `no ${what} in ${where} is called ${quoted(name)}.`;
  const everywhere = place.everywhere ? here : await listed(place, kinds);
  const elsewhere = everywhere.find((one) => namesOf(one).includes(name))?.object.metadata.namespace;
  if (elsewhere !== undefined) {
    return new CommandError(`${start} There is one in namespace ${elsewhere}: add -n ${elsewhere}`);
  }
  const near = didYouMean(name, [...new Set(here.flatMap(namesOf))]);
  if (near !== '') return new CommandError(`${start}${near}`);
  const own = here.filter(({ summary }) => summary.partOf === undefined).map((one) => namesOf(one).at(-1));
  if (own.length === 0) return new CommandError(`${start} There is none at all: see cutover list -A`);
  return new CommandError(`${start} There are: ${own.slice(0, 10).join(', ')}`);
}

/** Its name, then what people call it. */
function namesOf({ object, summary }: Candidate): readonly string[] {
  const { title } = summary.subject;
  return [object.metadata.name ?? '', ...(title === undefined ? [] : [shown(title, 253)])];
}

function quoted(text: string): string {
  return JSON.stringify(shown(text, 253));
}
