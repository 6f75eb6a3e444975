import { CommandError } from '../../portrait/text/command-error.ts';
import { harmless } from '../../portrait/text/harmless.ts';
import type { OpenedCluster, Shell } from '../../portrait/text/shell.ts';
import type { Instance, PastExecution } from '../resources/instance.ts';
import { narrator } from './narrator.ts';
import { restartText } from './print/restart-text.ts';
import { failureOf, type Mark, type Progress, progressSince, settling } from './progress.ts';
import { waitFor } from './wait-for.ts';

/** How what was waited for ended well. */
export type GoodEnd = { readonly instance: Instance; readonly past?: PastExecution };

/**
 * Waits until what was asked for at `mark` is done. Tells on standard error how it goes on.
 *
 * Errors: a `CommandError` as soon as it is refused, fails, is cancelled or deleted, with the message of the step.
 */
export async function waitForPlan(
  shell: Shell,
  cluster: OpenedCluster,
  options: { readonly instance: string; readonly mark: Mark; readonly seconds: number },
): Promise<GoodEnd> {
  const { instance: name, mark, seconds } = options;
  const title = `${cluster.namespace}/${name}`;
  const narrate = narrator((text) => shell.writeError(text));
  const isSettled = settling();
  let waits = '';
  return waitFor(shell, cluster, {
    instance: name,
    what: mark.plan === undefined ? `instance ${title}` : `plan ${mark.plan} of instance ${title}`,
    seconds,
    see: (instance) => {
      if (!instance) throw new CommandError(`instance ${title} was deleted meanwhile`);
      const progress = progressSince(mark, instance);
      if (progress.state === 'running') narrate(instance, progress.execution);
      if (progress.state === 'ended' && progress.past.outcome === 'COMPLETE') narrate(instance, progress.past);
      if (progress.state === 'waiting' && waits !== progress.message) {
        waits = progress.message;
        shell.writeError(`waiting: ${harmless(waits)}\n`);
      }
      const end = goodEnd(instance, { mark, progress, settled: isSettled(progress), title });
      for (const restart of end?.past?.restarts ?? []) shell.writeError(`${restartText(restart)}\n`);
      return end;
    },
  });
}

function goodEnd(
  instance: Instance,
  {
    mark,
    progress,
    settled,
    title,
  }: { readonly mark: Mark; readonly progress: Progress; readonly settled: boolean; readonly title: string },
): GoodEnd | undefined {
  switch (progress.state) {
    case 'unseen':
    case 'waiting':
    case 'running':
      return undefined;
    case 'idle':
      // A plan that was asked for by name runs in any case.
      return settled && mark.plan === undefined ? { instance } : undefined;
    case 'refused':
      throw new CommandError(`the change of instance ${title} was refused: ${progress.message}`);
    case 'ended':
      if (progress.past.outcome === 'COMPLETE') return { instance, past: progress.past };
      throw planFailed(instance, progress.past, title);
    default:
      return progress satisfies never;
  }
}

/** What is said of a plan that did not complete. */
export function planFailed(instance: Instance, past: PastExecution, title: string): CommandError {
  const { plan, outcome, message } = past;
  const of = `plan ${plan} of instance ${title}`;
  if (outcome === 'CANCELED') return new CommandError(`${of} was cancelled${message ? `: ${message}` : ''}`);
  if (outcome === 'SUPERSEDED') {
    const by = instance.status?.execution?.plan;
    return new CommandError(`${of} was superseded${by === undefined ? '' : ` by plan ${by}`}`);
  }
  return new CommandError(`${of} failed: ${failureOf(instance, past)}`);
}
