import type { Client } from '../../kube/client.ts';
import type { Family } from '../../portrait/family.ts';
import { CommandError } from '../../portrait/text/command-error.ts';
import { didYouMean } from '../../portrait/text/near-names.ts';
import type { Workload } from '../../portrait/workload.ts';
import type { FamilySource, KnownKind } from './steer-shell.ts';
import { missingKinds } from './told.ts';

interface GroupList {
  readonly groups?: readonly { readonly name?: string }[];
}

/** The families whose kinds a cluster has, for commands that cannot tell beforehand which of them they need. */
export async function familiesOf(client: Client, sources: readonly FamilySource[]): Promise<readonly Family[]> {
  const groups = await groupsOf(client);
  const present = sources.filter(({ group }) => groups.has(group));
  if (present.length === 0) throw missingKinds(`any of the groups ${sources.map(({ group }) => group).join(', ')}`);
  return Promise.all(present.map((source) => source.load()));
}

/** The API groups that a cluster has: anybody may ask, also whoever may not see what is in them. */
export async function groupsOf(client: Client): Promise<ReadonlySet<string>> {
  const { groups } = await client.json<GroupList>({ method: 'GET', path: '/apis' });
  return new Set((Array.isArray(groups) ? groups : []).flatMap((group) => group?.name ?? []));
}

/** The workloads of all families, those of one family together. */
export function workloadsOf(families: readonly Family[]): readonly Workload[] {
  return families.flatMap(({ workloads }) => workloads);
}

/** All kinds of workloads, those of one family together. */
export function kindsOf(sources: readonly FamilySource[]): readonly KnownKind[] {
  return sources.flatMap(({ kinds }) => kinds);
}

/** The kind that somebody names: by kind, plural or another word, in whatever case. Errors: the words that may be meant. */
export function theKind(kinds: readonly KnownKind[], word: string): KnownKind {
  const wanted = word.toLowerCase();
  const found = kinds.find((kind) => wordsOf(kind).includes(wanted));
  if (found) return found;
  const known = kinds.map(({ type }) => type.kind).join(', ');
  const near = didYouMean(word, [...new Set(kinds.flatMap(wordsOf))]);
  throw new CommandError(`no kind of workload is called ${JSON.stringify(word)}.${near} There are: ${known}`);
}

function wordsOf({ type, words }: KnownKind): readonly string[] {
  return [type.kind, type.plural, `${type.plural}.${type.group}`, ...words].map((word) => word.toLowerCase());
}
