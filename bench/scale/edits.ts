import { setTimeout as delay } from 'node:timers/promises';
import { Fleet } from './fleet.ts';
import { startOperator } from './operator.ts';
import type { StandingCluster } from './standing-cluster.ts';

/** How long edits took until they were handled, in milliseconds. */
export interface Edits {
  readonly idle: readonly number[];
  /** While all keys were looked at anew. */
  readonly resync: readonly number[];
}

export interface EditOptions {
  readonly size: number;
  /** At least so many of each. */
  readonly count: number;
  readonly settleMs: number;
  readonly progress: (line: string) => void;
}

/** Between two edits: what follows from one is over before the next. */
const pauseMs = 100;

/** This part of them is looked at before the first edit: what has just been started is slow at everything, and idle it never is. */
const warmUp = 0.1;

/**
 * A full resync is the hardest there is: the operator has just been started, so that every key is in line, and every Flink
 * cluster is asked for the first time. An edit counts if some had not been asked when it was made.
 */
export async function measureEdits(cluster: StandingCluster, options: EditOptions): Promise<Edits> {
  const { size, count, settleMs, progress } = options;
  await using fleet = await Fleet.open(cluster.kubeconfig);
  while (fleet.size < size) await delay(100);
  const isBusy = async (): Promise<boolean> => (await cluster.asked()) < size;
  const resync: number[] = [];
  const idle: number[] = [];
  // Spread over all, so that no edit meets what the one before it made known.
  const victim = (edit: number): number => Math.floor(edit * size * 0.618) % size;
  for (let round = 1, edit = 0; resync.length < count || idle.length < count; round++) {
    cluster.forget();
    await using operator = await startOperator(cluster);
    while ((await cluster.asked()) < size * warmUp) await delay(20);
    while (resync.length < count && (await isBusy())) {
      resync.push(await fleet.edit(victim(edit++)));
      await delay(pauseMs);
    }
    progress(
      `start ${round}: ${resync.length} edits while all were looked at, ${operator.cost().cpuSeconds} CPU seconds`,
    );
    while (await isBusy()) await delay(200);
    await delay(settleMs);
    for (let left = round * Math.ceil(count / 3) - idle.length; left > 0 && idle.length < count; left--) {
      idle.push(await fleet.edit(victim(edit++)));
      await delay(pauseMs);
    }
  }
  return { idle, resync };
}
