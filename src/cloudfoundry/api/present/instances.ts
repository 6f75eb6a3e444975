import type { CfApp } from '../../resources/cf-app.ts';
import type { CfProcess } from '../../resources/cf-process.ts';
import { mostInstancesShown } from '../../resources/instances-status.ts';
import { revisionsOf } from '../../revision.ts';
import { wantedInstances } from '../../wanted-instances.ts';

/** One instance that should run, as far as is known. */
export interface Instance {
  readonly index: number;
  readonly state: 'RUNNING' | 'STARTING' | 'CRASHED' | 'DOWN';
  /** Since when it runs, in milliseconds since the epoch. */
  readonly since?: number;
  /** Why it does not run. */
  readonly details?: string;
}

/**
 * The instances of a process: as many as are wanted, and canaries beyond them; none when the app is stopped.
 *
 * Only what is known of the revision that is wanted counts. A status that speaks of another one says nothing about it: right
 * after a restart every instance is STARTING, whatever ran before. Clients take a single RUNNING for "it has started", and
 * details for the reason why it does not start: only a trouble, or an old revision that serves meanwhile, has any.
 */
export function instancesOf(process: Pick<CfProcess, 'metadata' | 'spec' | 'status'>, app: CfApp): readonly Instance[] {
  if (app.spec.desiredState !== 'STARTED') return [];
  const { appRev } = revisionsOf(app);
  const { status } = process;
  const seen = status?.observedAppRev === String(appRev) ? (status.instancesStatus ?? {}) : undefined;
  const wanted = Array.from(
    { length: Math.min(wantedInstances(process.spec), mostInstancesShown) },
    (_, index) => index,
  );
  // Of a process that was just scaled the status still has instances that are no canaries.
  const told = status?.observedGeneration === process.metadata.generation ? Object.keys(seen ?? {}).map(Number) : [];
  const beyond = told.filter((index) => Number.isInteger(index) && index >= wanted.length);
  return [...wanted, ...beyond].map((index): Instance => {
    const entry = seen && Object.hasOwn(seen, String(index)) ? seen[String(index)] : undefined;
    if (!entry) return { index, state: 'STARTING' };
    const since = entry.timestamp === undefined ? Number.NaN : Date.parse(entry.timestamp);
    return {
      index,
      state: entry.state,
      ...(entry.state === 'RUNNING' && Number.isFinite(since) && { since }),
      ...(entry.state !== 'RUNNING' && entry.details && { details: entry.details }),
    };
  });
}

/** For how many whole seconds it runs; 0 when that is not known, or the clocks disagree. */
export function uptime({ since }: Instance, now: number): number {
  return since === undefined ? 0 : Math.max(0, Math.floor((now - since) / 1000));
}
