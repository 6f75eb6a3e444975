import { type Command, InvalidArgumentError } from 'commander';
import type { Client } from '../../../kube/client.ts';
import { isKubeError, KubeError } from '../../../kube/error.ts';
import { phases, type Summary } from '../../../portrait/summary.ts';
import { groupsOf, kindsOf, theKind } from '../families.ts';
import { command, type SteerOptions } from '../options.ts';
import { byNeed, fleetLines } from '../render/fleet.ts';
import { sceneOf, writeLines } from '../scene.ts';
import type { KnownKind, SteerShell } from '../steer-shell.ts';
import { inSession, mending, missingKinds } from '../told.ts';

interface ListOptions extends SteerOptions {
  readonly filter?: string;
  readonly all?: boolean;
}

/** `list`: workloads of every family. Made from the objects alone, by one request per kind; of a family that has none nothing is loaded. */
export function listCommand(shell: SteerShell): Command {
  return command(shell, 'list', ['json', 'yaml', 'wide'])
    .argument('[kinds...]', 'only of these kinds')
    .option('-A, --all-namespaces', 'of all namespaces')
    .option('--filter <what>', `in-transition, needs-you, or a status: ${phases.join(', ')}`, filter)
    .option('--all', 'also those that another workload made and speaks for')
    .action(
      inSession<SteerShell, ListOptions>(shell, async (session, options, words) => {
        const scene = await sceneOf(session, options);
        const known = kindsOf(shell.families);
        const wanted = words.length === 0 ? known : [...new Set(words.map((word) => theKind(known, word)))];
        const namespace = options.allNamespaces ? undefined : scene.namespace;
        const fleet = (await listed(scene.client, wanted, namespace, session.warn))
          // Somebody who names a kind wants to see it.
          .filter(({ partOf }) => options.all || words.length > 0 || partOf === undefined)
          .filter((one) => matches(one, options.filter))
          .sort(byNeed);
        if (session.answer(fleet)) return;
        if (fleet.length === 0) {
          const where = namespace === undefined ? 'any namespace' : `namespace "${namespace}"`;
          return session.note(`no workload${options.filter ? ` that is ${options.filter}` : ''} in ${where}`);
        }
        const { now } = scene.frame;
        const wide = options.output === 'wide';
        writeLines(shell, fleetLines(fleet, { now, namespaces: options.allNamespaces === true, wide }), scene.color);
      }),
    );
}

/** All that may be seen; what may not is warned of, unless it is everything. */
async function listed(
  client: Client,
  kinds: readonly KnownKind[],
  namespace: string | undefined,
  warn: (line: string) => void,
): Promise<Summary[]> {
  const lists = await Promise.all(
    kinds.map(async ({ type, summarizer }) => {
      try {
        const { items } = await client.resource(type).list(namespace === undefined ? {} : { namespace });
        if (items.length === 0) return [];
        const summarize = await summarizer();
        return items.map((object) => summarize(object));
      } catch (error) {
        if (isKubeError(error, 'forbidden', 'not-found')) return error;
        throw error;
      }
    }),
  );
  const refused = lists.filter((list) => list instanceof KubeError && list.kind === 'forbidden');
  // Somebody who may not see a kind is refused also where there is no such kind.
  const groups = refused.length > 0 ? await groupsOf(client) : new Set<string>();
  const hidden = lists.filter((list, index) => list instanceof KubeError && groups.has(kinds[index]?.type.group ?? ''));
  const seen = lists.flatMap((list) => (list instanceof KubeError ? [] : [list]));
  const [first] = hidden;
  if (seen.length === 0 && first instanceof KubeError) throw first;
  if (seen.length === 0) throw missingKinds(kinds.map(({ type }) => type.kind).join(', '));
  for (const error of hidden) if (error instanceof KubeError && error.kind === 'forbidden') warn(mending(error));
  return seen.flat();
}

function matches({ phase, inTransition, needsYou }: Summary, filter: string | undefined): boolean {
  if (filter === undefined) return true;
  if (filter === 'in-transition') return inTransition;
  return filter === 'needs-you' ? needsYou !== undefined : phase === filter;
}

function filter(text: string): string {
  const known = ['in-transition', 'needs-you', ...phases];
  if (known.includes(text)) return text;
  throw new InvalidArgumentError(`It must be one of ${known.join(', ')}.`);
}
