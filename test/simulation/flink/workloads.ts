import { application, session, sessionJob } from '../../flink/manifests.ts';
import type { Person } from './person.ts';
import { tokenOf, tokensOf } from './tokens.ts';

/** What people do, and what must become of what the jobs count. */
export interface Workload {
  /** What restarts may repeat: nothing, or what came after the last checkpoint. */
  readonly repeats: 'nothing' | 'since the last checkpoint' | 'what two sides count at once';
  /** How many savepoints there must be in the end. */
  readonly savepoints: number;
  /** The cluster that is given up while it starts: one whose time is over sooner than usual is never made. */
  readonly overtaken?: string;
  play(person: Person): Promise<void>;
}

export const workloads: Readonly<Record<string, Workload>> = {
  savepoint: {
    repeats: 'nothing',
    savepoints: 1,
    async play(person) {
      await person.apply(application({ configuration: tokensOf('a') }));
      await person.settle('orders');
      await person.pause(25_000);
      await person.editJob('orders', { parallelism: 1 }, tokensOf('b'));
      await person.settle('orders');
      await person.pause(15_000);
    },
  },
  'last-state': {
    repeats: 'since the last checkpoint',
    savepoints: 0,
    async play(person) {
      await person.apply(application({ ha: true, job: { upgradeMode: 'last-state' }, configuration: tokensOf('a') }));
      await person.settle('orders');
      await person.pause(35_000);
      await person.editJob('orders', { parallelism: 1 }, tokensOf('b'));
      await person.settle('orders');
      await person.pause(15_000);
    },
  },
  /** Somebody has had enough of the state while it is being saved. */
  redeploy: {
    repeats: 'nothing',
    savepoints: 0,
    async play(person) {
      await person.apply(application({ ha: true, configuration: tokensOf('a') }));
      await person.settle('orders');
      await person.pause(25_000);
      person.slowSavepoints('orders');
      await person.editJob('orders', { parallelism: 1 }, tokensOf('b'));
      await person.phase('orders', 'suspending');
      await person.pause(2_000);
      await person.editJob('orders', { statelessRedeployNonce: 1 });
      await person.settle('orders');
      await person.pause(15_000);
    },
  },
  session: {
    repeats: 'nothing',
    savepoints: 1,
    async play(person) {
      await person.apply(session());
      await person.apply(sessionJob({ configuration: tokenOf('a') }));
      await person.settle('job', 'FlinkSessionJob');
      await person.pause(25_000);
      await person.editJob('job', { parallelism: 1 }, tokenOf('b'), 'FlinkSessionJob');
      await person.settle('job', 'FlinkSessionJob');
      await person.pause(15_000);
    },
  },
  deletion: {
    repeats: 'nothing',
    savepoints: 2,
    async play(person) {
      const configuration = { 'kubernetes.operator.job.savepoint-on-deletion': 'true', ...tokensOf('a') };
      await person.apply(application({ configuration }));
      await person.settle('orders');
      await person.pause(25_000);
      await person.snapshot('mine', 'orders');
      await person.pause(15_000);
      await person.remove('orders');
      await person.gone('orders');
    },
  },
};
