import type { Client } from '../../kube/client.ts';
import type { Family } from '../../portrait/family.ts';
import { CommandError } from '../../portrait/text/command-error.ts';
import { didYouMean } from '../../portrait/text/near-names.ts';
import type { Workload } from '../../portrait/workload.ts';
import type { FamilySource } from './steer-shell.ts';
import { missingKinds } from './told.ts';

interface GroupList {
  readonly groups?: readonly { readonly name?: string }[];
}

/** The families whose kinds a cluster has. Only those are loaded: start-up time counts. */
export async function familiesOf(client: Client, sources: readonly FamilySource[]): Promise<readonly Family[]> {
  const { groups } = await client.json<GroupList>({ method: 'GET', path: '/apis' });
  const names = new Set((Array.isArray(groups) ? groups : []).map((group) => group?.name));
  const present = sources.filter(({ group }) => names.has(group));
  if (present.length === 0) throw missingKinds(`any of the groups ${sources.map(({ group }) => group).join(', ')}`);
  return Promise.all(present.map((source) => source.load()));
}

/** The workloads of all families, those of one family together. */
export function workloadsOf(families: readonly Family[]): readonly Workload[] {
  return families.flatMap(({ workloads }) => workloads);
}

/** The kind that somebody names: by kind, plural or another word, in whatever case. */
export function workloadNamed(workloads: readonly Workload[], word: string): Workload | undefined {
  const wanted = word.toLowerCase();
  return workloads.find((workload) => wordsOf(workload).includes(wanted));
}

/** As `workloadNamed`, or an error with the words that may be meant. */
export function theWorkload(workloads: readonly Workload[], word: string): Workload {
  const found = workloadNamed(workloads, word);
  if (found) return found;
  const known = workloads.map(({ type }) => type.kind).join(', ');
  const near = didYouMean(word, [...new Set(workloads.flatMap(wordsOf))]);
  throw new CommandError(`no kind of workload is called ${JSON.stringify(word)}.${near} This cluster has: ${known}`);
}

function wordsOf({ type, words }: Workload): readonly string[] {
  return [type.kind, type.plural, `${type.plural}.${type.group}`, ...words].map((word) => word.toLowerCase());
}
