import type { Clock } from '../../clock/clock.ts';
import { sleep } from '../../clock/clock.ts';
import type { Client } from '../../kube/client.ts';
import { isKubeError, KubeError } from '../../kube/error.ts';
import type { AnyObject } from '../../kube/object.ts';
import type { Phase, Summary } from '../../portrait/summary.ts';
import type { Found } from './find-subject.ts';

/** How a workload that was waited for ended; the numbers are exit codes. */
export const outcomes = { settled: 0, failed: 1, timedOut: 2, needsPerson: 3, left: 130 } as const;
export type Outcome = keyof typeof outcomes;

export interface Following {
  readonly client: Client;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Undefined: for ever. 0: one look. */
  readonly timeoutMs: number | undefined;
  /** The object as a write left it: what was true before says nothing of what follows. */
  readonly since?: AnyObject;
  /** Hears how it is at every look. */
  told(summary: Summary): void;
  /** Go on also when it has settled. */
  readonly forEver?: boolean;
}

const lookMs = 500;
/** A write that the operator has nothing to do for leaves no trace; after so long that is believed. */
const believedMs = 5000;

/** Looks at a workload until it has settled. An API server that is away for a moment is waited for, too. */
export async function follow(found: Found, following: Following): Promise<Outcome> {
  const { client, clock, signal, timeoutMs, told, forEver } = following;
  const { workload } = found;
  const { namespace = 'default', name = '' } = found.object.metadata;
  const begin = clock.monotonic();
  let last: Outcome | undefined;
  for (;;) {
    const seen = await look();
    if (seen === undefined) return 'failed';
    if (!(seen instanceof KubeError)) {
      const summary = workload.summarize(seen);
      told(summary);
      const believed = isAnswer(seen, following.since) || clock.monotonic() - begin >= believedMs;
      // Whoever is paused is not looked at, so nothing newer will be said.
      const current = isObserved(seen) || summary.phase === 'paused';
      last = believed && current ? outcomeOf(summary) : undefined;
      if (last !== undefined && !forEver) return last;
    }
    const left = timeoutMs === undefined ? lookMs : timeoutMs - (clock.monotonic() - begin);
    if (left <= 0) return last ?? 'timedOut';
    await sleep(clock, Math.min(lookMs, left), signal).catch(() => {});
    if (signal.aborted) return last ?? 'left';
  }

  async function look(): Promise<AnyObject | KubeError | undefined> {
    try {
      return await client.resource(workload.type).get({ namespace, name }, { signal });
    } catch (error) {
      if (isKubeError(error, 'not-found')) return undefined;
      if (error instanceof KubeError && (error.transient || signal.aborted)) return error;
      throw error;
    }
  }
}

/** Whether the controller has seen the specification as it is now; kinds that do not tell are believed. */
function isObserved({ metadata, status }: AnyObject): boolean {
  const { observedGeneration } = (status ?? {}) as { readonly observedGeneration?: unknown };
  return typeof observedGeneration !== 'number' || observedGeneration >= (metadata.generation ?? 0);
}

/** Whether something was said since the write. */
function isAnswer(seen: AnyObject, since: AnyObject | undefined): boolean {
  return since === undefined || JSON.stringify(seen.status) !== JSON.stringify(since.status);
}

const byPhase: Readonly<Record<Phase, Outcome | undefined>> = {
  healthy: 'settled',
  suspended: 'settled',
  failed: 'failed',
  degraded: 'failed',
  waiting: 'needsPerson',
  paused: 'needsPerson',
  progressing: undefined,
  deleting: undefined,
  unknown: undefined,
};

/** Undefined while it gets on by itself. */
export function outcomeOf({ phase, inTransition }: Pick<Summary, 'phase' | 'inTransition'>): Outcome | undefined {
  const moving = inTransition && (phase === 'degraded' || phase === 'healthy');
  return moving ? undefined : byPhase[phase];
}
