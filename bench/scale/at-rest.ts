import { setTimeout as delay } from 'node:timers/promises';
import { startOperator } from './operator.ts';
import type { StandingCluster } from './standing-cluster.ts';

/** What an operator costs that has nothing to do but to look. */
export interface AtRest {
  readonly size: number;
  /** From its start until its caches held everything. */
  readonly syncMs: number;
  readonly residentMiB: number;
  readonly heapMiB: number;
  readonly cores: number;
  /** Requests that write, from its start on. */
  readonly writes: number;
}

export interface RestOptions {
  readonly size: number;
  /** How long it is left alone after it has asked every Flink cluster once, and for how long it is measured then. */
  readonly settleMs: number;
  readonly restMs: number;
  readonly progress: (line: string) => void;
}

/** Starts an operator on a cluster at rest and measures it while nothing happens. */
export async function measureAtRest(cluster: StandingCluster, options: RestOptions): Promise<AtRest> {
  const { size, settleMs, restMs, progress } = options;
  cluster.forget();
  await using operator = await startOperator(cluster);
  const syncMs = operator.syncMs;
  await allAsked(cluster, size);
  progress(`${size}: began to work after ${Math.round(syncMs)} ms; at rest for ${restMs / 1000} s`);
  await delay(settleMs);
  const [before, began] = [operator.cost(), performance.now()];
  await delay(restMs);
  const [after, seconds] = [operator.cost(), (performance.now() - began) / 1000];
  const { writes, heapMiB } = await operator.counts();
  const cores = (after.cpuSeconds - before.cpuSeconds) / seconds;
  return { size, syncMs, residentMiB: after.residentMiB, heapMiB, cores, writes };
}

/** Until the operator has asked every Flink cluster. */
async function allAsked(cluster: StandingCluster, size: number): Promise<void> {
  while ((await cluster.asked()) < size) await delay(200);
}
