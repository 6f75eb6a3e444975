import { CommandError } from '../../../portrait/text/command-error.ts';
import type { OpenedCluster, Shell } from '../../../portrait/text/shell.ts';
import type { Instance } from '../../resources/instance.ts';
import { type Mark, markOf, type Progress, progressSince, settling } from '../progress.ts';
import { waitFor } from '../wait-for.ts';
import { planFailed } from '../wait-for-plan.ts';

/** The mark of whoever asked for nothing himself: the execution that runs, and changes that wait, are what he waits for. */
export function standingMark(instance: Instance, plan?: string): Mark {
  const { execution } = instance.status ?? {};
  const mark = markOf(instance, plan);
  return { ...mark, known: mark.known.filter((uid) => uid !== execution?.uid) };
}

export interface StandingEnd {
  readonly instance: Instance;
  /** Why it did not end well; absent: it completed. */
  readonly failure?: CommandError;
}

/** Waits until nothing runs or waits any more, and says how the last execution ended. */
export function standingEnd(
  shell: Shell,
  cluster: OpenedCluster,
  options: {
    readonly instance: string;
    readonly mark: Mark;
    readonly seconds: number;
    /** Is told of what is there at each look. */
    onLook?(instance: Instance): void;
  },
): Promise<StandingEnd> {
  const { mark, instance: name, seconds, onLook } = options;
  const title = `${cluster.namespace}/${name}`;
  const isSettled = settling();
  return waitFor(shell, cluster, {
    instance: name,
    what: mark.plan === undefined ? `the plan of instance ${title}` : `plan ${mark.plan} of instance ${title}`,
    seconds,
    see: (instance) => {
      if (!instance) throw new CommandError(`instance ${title} was deleted meanwhile`);
      onLook?.(instance);
      const progress = progressSince(mark, instance);
      return endOf(instance, { mark, progress, settled: isSettled(progress), title });
    },
  });
}

function endOf(
  instance: Instance,
  {
    mark,
    progress,
    settled,
    title,
  }: { readonly mark: Mark; readonly progress: Progress; readonly settled: boolean; readonly title: string },
): StandingEnd | undefined {
  if (progress.state === 'refused') {
    return { instance, failure: new CommandError(`the change of instance ${title} was refused: ${progress.message}`) };
  }
  if (progress.state !== 'ended' && !settled) return undefined;
  const last = (instance.status?.history ?? []).find(({ plan }) => mark.plan === undefined || mark.plan === plan);
  const past = progress.state === 'ended' ? progress.past : last;
  if (!past) {
    const what =
      mark.plan === undefined
        ? `no plan of instance ${title} has ever run`
        : `plan ${mark.plan} of instance ${title} has never run`;
    return { instance, failure: new CommandError(what) };
  }
  return past.outcome === 'COMPLETE' ? { instance } : { instance, failure: planFailed(instance, past, title) };
}
