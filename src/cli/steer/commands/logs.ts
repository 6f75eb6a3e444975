import type { Command } from 'commander';
import type { Client } from '../../../kube/client.ts';
import { isKubeError, KubeError } from '../../../kube/error.ts';
import { kinds } from '../../../kube/kinds.ts';
import type { Portrait } from '../../../portrait/portrait.ts';
import { CommandError } from '../../../portrait/text/command-error.ts';
import { harmlessText } from '../../../portrait/text/harmless.ts';
import { didYouMean } from '../../../portrait/text/near-names.ts';
import { logLines } from '../log-lines.ts';
import { count, type SteerOptions, subjectCommand } from '../options.ts';
import { pageOf } from '../page-of.ts';
import { sceneOf } from '../scene.ts';
import type { SteerShell } from '../steer-shell.ts';
import { inSession, mending } from '../told.ts';

interface LogsOptions extends SteerOptions {
  readonly pod?: string;
  readonly container?: string;
  readonly follow?: boolean;
  readonly tail?: number;
}

/** A container, and what its lines begin with. */
interface Source {
  readonly pod: string;
  readonly container: string;
  readonly prefix: string;
}

/** `logs`: those of all pods of a workload, each line with the pod that it is from. */
export function logsCommand(shell: SteerShell): Command {
  return subjectCommand(shell, 'logs')
    .option('--pod <name>', 'only of this pod')
    .option('-c, --container <name>', 'only of containers of this name')
    .option('-f, --follow', 'go on until Ctrl-C')
    .option('--tail <n>', 'only the last lines of each (default: all, or 20 with -f)', count)
    .action(
      inSession<SteerShell, LogsOptions>(shell, async (session, options, words) => {
        const scene = await sceneOf(session, options);
        const { client } = scene;
        const { portrait } = await pageOf(client, await scene.find(words), scene.frame);
        const sources = sourcesOf(portrait, options);
        const { follow, tail = follow ? 20 : undefined } = options;
        const signal = follow ? shell.stopping() : undefined;
        const ask = {
          ...(follow && { follow }),
          ...(tail !== undefined && { tailLines: tail }),
          ...(signal && { signal }),
        };
        // One after the other, unless they go on: then whoever speaks is heard.
        const results: (KubeError | undefined)[] = [];
        const one = (source: Source) => print(client, portrait.subject.namespace, source, ask, shell.write);
        if (follow) results.push(...(await Promise.all(sources.map(one))));
        else for (const source of sources) results.push(await one(source));
        const failed = results.filter((error) => error instanceof KubeError);
        if (failed[0] && failed.length === results.length) throw failed[0];
        for (const error of failed) session.warn(mending(error));
      }),
    );
}

function sourcesOf(portrait: Portrait, { pod: wanted, container }: LogsOptions): readonly Source[] {
  const { pods, subject } = portrait;
  const title = `${subject.kind} ${subject.name}`;
  if (pods.length === 0) throw new CommandError(`${title} has no pods now`);
  const chosen = wanted === undefined ? pods : pods.filter(({ name }) => name === wanted);
  if (chosen.length === 0) {
    const names = pods.map(({ name }) => name);
    throw new CommandError(`${title} has no pod ${JSON.stringify(wanted)}.${didYouMean(`${wanted}`, names)}`);
  }
  const sources = chosen.flatMap((pod) => {
    const names = pod.containers.filter((name) => container === undefined || name === container);
    return names.map((name): Source => {
      const prefix = pod.containers.length === 1 ? pod.name : `${pod.name}/${name}`;
      return { pod: pod.name, container: name, prefix: `[${prefix}] ` };
    });
  });
  if (sources.length > 0) return sources;
  const containers = [...new Set(chosen.flatMap((pod) => pod.containers))];
  throw new CommandError(
    `no pod of ${title} has a container ${JSON.stringify(container)}; there are: ${containers.join(', ')}`,
  );
}

/** What could not be read is answered, so that the others are still heard. */
async function print(
  client: Client,
  namespace: string,
  { pod, container, prefix }: Source,
  ask: { readonly follow?: boolean; readonly tailLines?: number; readonly signal?: AbortSignal },
  write: (text: string) => void,
): Promise<KubeError | undefined> {
  try {
    const log = client.resource(kinds.pods).log({ namespace, name: pod }, { ...ask, container });
    for await (const line of logLines(log)) write(`${prefix}${harmlessText(line.replace(/\r$/, ''))}\n`);
    return undefined;
  } catch (error) {
    if (isKubeError(error, 'aborted')) return undefined;
    if (error instanceof KubeError) return error;
    throw error;
  }
}
