import { type Command, InvalidArgumentError } from 'commander';
import type { Client } from '../../../kube/client.ts';
import { isKubeError, KubeError } from '../../../kube/error.ts';
import { phases, type Summary } from '../../../portrait/summary.ts';
import type { Workload } from '../../../portrait/workload.ts';
import { theWorkload, workloadsOf } from '../families.ts';
import { command, type SteerOptions } from '../options.ts';
import { byNeed, fleetLines } from '../render/fleet.ts';
import { sceneOf, writeLines } from '../scene.ts';
import type { SteerShell } from '../steer-shell.ts';
import { inSession, mending, missingKinds } from '../told.ts';

interface ListOptions extends SteerOptions {
  readonly filter?: string;
  readonly all?: boolean;
}

/** `list`: workloads of every family. Made from the objects alone: a thousand of them cost one request per kind. */
export function listCommand(shell: SteerShell): Command {
  return command(shell, 'list', ['json', 'yaml', 'wide'])
    .argument('[kinds...]', 'only of these kinds')
    .option('-A, --all-namespaces', 'of all namespaces')
    .option('--filter <what>', `in-transition, needs-you, or a status: ${phases.join(', ')}`, filter)
    .option('--all', 'also those that another workload made and speaks for')
    .action(
      inSession<SteerShell, ListOptions>(shell, async (session, options, words) => {
        const scene = await sceneOf(session, options);
        const known = workloadsOf(scene.families);
        const wanted = words.length === 0 ? known : [...new Set(words.map((word) => theWorkload(known, word)))];
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
  workloads: readonly Workload[],
  namespace: string | undefined,
  warn: (line: string) => void,
): Promise<Summary[]> {
  const lists = await Promise.all(
    workloads.map(async (workload) => {
      try {
        const { items } = await client.resource(workload.type).list(namespace === undefined ? {} : { namespace });
        return items.map((object) => workload.summarize(object));
      } catch (error) {
        if (isKubeError(error, 'forbidden', 'not-found')) return error;
        throw error;
      }
    }),
  );
  const refused = lists.filter((list) => list instanceof KubeError);
  const [first] = refused;
  if (first && refused.length === lists.length) {
    if (first.kind === 'forbidden') throw first;
    throw missingKinds(workloads.map(({ type }) => type.kind).join(', '));
  }
  for (const error of refused) if (error.kind === 'forbidden') warn(mending(error));
  return lists.flatMap((list) => (list instanceof KubeError ? [] : list));
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
