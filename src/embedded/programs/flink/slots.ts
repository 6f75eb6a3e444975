import type { TaskManagerPort } from './flink-world.ts';

interface Worker {
  readonly port: TaskManagerPort;
  readonly used: Map<string, number>;
}

/** The slots of the TaskManagers that have registered, and which job uses which. */
export class Slots {
  readonly #workers = new Map<string, Worker>();

  get workers(): readonly { readonly port: TaskManagerPort; readonly free: number }[] {
    return [...this.#workers.values()].map(({ port, used }) => ({ port, free: port.slots - sum(used) }));
  }

  get total(): number {
    return [...this.#workers.values()].reduce((all, { port }) => all + port.slots, 0);
  }

  get free(): number {
    return this.workers.reduce((all, { free }) => all + free, 0);
  }

  add(port: TaskManagerPort): void {
    this.#workers.set(port.id, { port, used: new Map() });
  }

  /** The jobs whose tasks were on it. */
  remove(port: TaskManagerPort): readonly string[] {
    const worker = this.#workers.get(port.id);
    this.#workers.delete(port.id);
    return worker ? [...worker.used.keys()] : [];
  }

  has(port: TaskManagerPort): boolean {
    return this.#workers.has(port.id);
  }

  /** Takes `count` slots for a job, in order of registration. The caller has seen that they are free. */
  take(job: string, count: number): readonly TaskManagerPort[] {
    const taken: TaskManagerPort[] = [];
    let missing = count;
    for (const { port, used } of this.#workers.values()) {
      const free = Math.min(missing, port.slots - sum(used));
      if (free <= 0) continue;
      used.set(job, (used.get(job) ?? 0) + free);
      taken.push(port);
      missing -= free;
    }
    return taken;
  }

  /** Gives back all slots of a job. */
  release(job: string): void {
    for (const { used } of this.#workers.values()) used.delete(job);
  }

  heldBy(job: string): number {
    return [...this.#workers.values()].reduce((all, { used }) => all + (used.get(job) ?? 0), 0);
  }
}

const sum = (used: ReadonlyMap<string, number>): number => [...used.values()].reduce((all, one) => all + one, 0);
