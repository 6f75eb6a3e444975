import { expect } from 'vitest';
import type { Random } from '../../src/clock/random.ts';
import type { VirtualClock } from '../../src/clock/virtual.ts';
import type { Log } from '../../src/control/log.ts';
import { createMetrics } from '../../src/control/metrics.ts';
import { type OperatorEnd, type OperatorOptions, runOperator } from '../../src/control/operator.ts';
import { Client } from '../../src/kube/client.ts';
import { KubeError } from '../../src/kube/error.ts';
import type { Request, Transport } from '../../src/kube/transport.ts';

/** What the controllers of a process are made of. */
export interface Given {
  readonly client: Client;
  readonly clock: VirtualClock;
  readonly random: Random;
}

export interface ProcessOptions {
  readonly transport: Transport;
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly log: Log;
  /** Which process this is. A pod that is started again has the same name, another pod has another one. */
  readonly instance: string;
  readonly controllers: (given: Given) => OperatorOptions['controllers'];
  /** How it differs from the usual one. */
  readonly options?: Partial<OperatorOptions>;
  /** Is told of every write as it leaves. */
  readonly onWrite: (write: string) => void;
}

/** An operator, as a process that can end in good order and can die. */
export class OperatorProcess {
  /** What it asked to be changed, `PUT /apis/…`; leases, events and what services are asked left out. */
  readonly writes: string[] = [];
  readonly #clock: VirtualClock;
  readonly #onWrite: (write: string) => void;
  readonly #stop = new AbortController();
  readonly #death = new AbortController();
  #writesLeft = Number.POSITIVE_INFINITY;
  #end: OperatorEnd | undefined;

  constructor({ transport, clock, random, log, instance, controllers, options, onWrite }: ProcessOptions) {
    this.#clock = clock;
    this.#onWrite = onWrite;
    const client = new Client(this.#mortal(transport), { clock });
    void runOperator({
      client,
      clock,
      random,
      log,
      metrics: createMetrics({ process: false }),
      signal: this.#stop.signal,
      instance,
      freeze: true,
      controllers: controllers({ client, clock, random }),
      ...options,
    }).then((end) => {
      this.#end = end;
    });
  }

  /** Asks it to end, and runs the clock until it has. */
  async stop(): Promise<OperatorEnd> {
    this.#stop.abort();
    await this.#clock.runUntil(() => this.#end !== undefined, 60_000);
    return this.#end ?? expect.fail('the operator does not end');
  }

  /** It dies this moment: what it has asked for may have been done, but it learns of nothing any more. */
  kill(): void {
    this.#death.abort(new KubeError('unreachable', 'the process has died'));
    this.#stop.abort();
  }

  /** It dies of its n-th write from now on: that one is done, but it learns of nothing any more. */
  dieAt(write: number): void {
    this.#writesLeft = write;
  }

  get dead(): boolean {
    return this.#death.signal.aborted;
  }

  /** Whether nothing of it runs any more, for whatever reason. */
  get isGone(): boolean {
    return this.#end !== undefined;
  }

  #mortal(transport: Transport): Transport {
    const death = this.#death.signal;
    return {
      ...transport,
      request: async (request) => {
        death.throwIfAborted();
        const write = writeOf(request);
        if (write !== undefined) {
          this.writes.push(write);
          this.#onWrite(write);
        }
        const answer = await transport.request(request);
        if (write !== undefined && --this.#writesLeft === 0) this.kill();
        death.throwIfAborted();
        return answer;
      },
    };
  }
}

function writeOf({ method, path }: Request): string | undefined {
  if (method === 'GET' || /\/leases|\/events|\/services\/[^/]+\/proxy\//.test(path)) return undefined;
  return `${method} ${path.replace(/\?.*$/, '')}`;
}
