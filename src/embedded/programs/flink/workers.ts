import type { TaskManagerPort } from './flink-world.ts';

/** Where TaskManagers come from. */
export interface Workers {
  /** So many TaskManagers are needed from now on, those included that have registered. */
  want(count: number): void;
  /** One has registered. */
  registered(worker: TaskManagerPort): void;
  /** One has gone. */
  lost(worker: TaskManagerPort): void;
  /** One is not needed any more. */
  release(worker: TaskManagerPort): void;
  /** The JobManager's process ends. */
  stop(): void;
}

/** They are somebody else's business: whoever registers is there, nobody is asked for or sent away. */
export const standaloneWorkers: Workers = {
  want: () => {},
  registered: () => {},
  lost: () => {},
  release: () => {},
  stop: () => {},
};
