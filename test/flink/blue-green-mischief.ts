import type { Random } from '../../src/clock/random.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { BlueGreenOnStage } from './blue-green-on-stage.ts';
import type { Running } from './stage.ts';

/** What people and the world do to a blue/green deployment, in any order and at any moment. */
export class Mischief {
  readonly #orders: BlueGreenOnStage;
  readonly #random: Random;
  readonly #ha: boolean;
  #operator: Running;
  #version = 1;
  #nonce = 0;
  /** Somebody asked for an empty start; or the JobManager, which alone knew the state, was killed. */
  mayStartEmpty = false;

  constructor(orders: BlueGreenOnStage, options: { random: Random; ha: boolean; operator: Running }) {
    this.#orders = orders;
    this.#random = options.random;
    this.#ha = options.ha;
    this.#operator = options.operator;
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random.next() * list.length)] as T;
  }

  /** All that can be done, by name. */
  readonly deeds: Readonly<Record<string, () => Promise<void> | void>> = {
    release: () => this.#orders.release(`v${++this.#version}`),
    'release what ran before': () => this.#orders.release('v1'),
    'change the parallelism': () => this.#orders.editJob({ parallelism: this.pick([1, 2]) }),
    'change what demands nothing': () => this.#orders.editJob({ allowNonRestoredState: this.pick([true, false]) }),
    'change the labels': () =>
      this.#orders.patch({ spec: { template: { metadata: { labels: { team: this.pick(['a', 'b']) } } } } }),
    suspend: () => this.#orders.editJob({ state: 'suspended' }),
    resume: () => this.#orders.editJob({ state: 'running' }),
    'redeploy without state': () => {
      this.mayStartEmpty = true;
      return this.#orders.editJob({ statelessRedeployNonce: ++this.#nonce, savepointRedeployNonce: null });
    },
    'redeploy from a savepoint': async () => {
      const initialSavepointPath = this.#orders.savepoints().at(-1);
      if (initialSavepointPath === undefined) return;
      const nonces = { savepointRedeployNonce: ++this.#nonce, statelessRedeployNonce: null };
      await this.#orders.editJob({ ...nonces, initialSavepointPath });
    },
    'roll back': async () => {
      if (this.#orders.status.transition) await this.#orders.annotate('rollback');
    },
    'let the job of blue fail': () => this.#orders.stage.fail('orders-blue', { job: { mode: 'after', ms: 1 } }),
    'let the job of green fail': () => this.#orders.stage.fail('orders-green', { job: { mode: 'after', ms: 1 } }),
    'let green start slowly': () => this.#orders.stage.fail('orders-green', { start: { mode: 'slow', ms: 60_000 } }),
    'let savepoints fail': () => {
      for (const side of ['orders-blue', 'orders-green']) {
        this.#orders.stage.fail(side, { savepoints: { mode: this.pick(['fail', 'never']), times: 2 } });
      }
    },
    heal: () => this.heal(),
    'kill a JobManager': async () => {
      if (!this.#ha) this.mayStartEmpty = true;
      await this.#orders.stage.killJobManager(this.pick(['orders-blue', 'orders-green']));
    },
    'kill the operator': async () => {
      this.#operator.kill();
      await this.#orders.stage.clock.advance(this.#random.next() * 5_000);
      this.#operator = this.#orders.stage.start();
    },
    'delete the side that does not serve': async () => {
      const side = this.pick(['blue', 'green'] as const);
      const serves = this.#orders.status.serving?.color === side.toUpperCase();
      if (this.#orders.side(side) && !serves) await this.#orders.removeSide(side);
    },
    'hold green with a finalizer': async () => {
      if (this.#orders.side('green')?.metadata.deletionTimestamp === undefined) await this.#hold(['test/held']);
    },
    'let go of green': () => this.#hold([]),
    'delete the ingress': async () => {
      const { stage, name } = this.#orders;
      if (stage.find(kinds.ingresses, name)) await stage.removeObject(kinds.ingresses, name);
    },
  };

  /** Nothing is wrong any more. */
  async heal(): Promise<void> {
    for (const side of ['orders-blue', 'orders-green']) this.#orders.stage.fail(side, {});
    await this.#hold([]);
  }

  async #hold(finalizers: readonly string[]): Promise<void> {
    if (this.#orders.side('green')) await this.#orders.hold('green', finalizers);
  }
}
