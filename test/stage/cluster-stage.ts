import { expect } from 'vitest';
import type { VirtualClock } from '../../src/clock/virtual.ts';
import type { Log } from '../../src/control/log.ts';
import type { Embedded } from '../../src/embedded/embedded.ts';
import type { User } from '../../src/embedded/gate.ts';
import { Client } from '../../src/kube/client.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { AnyObject, KubeObject } from '../../src/kube/object.ts';
import type { ResourceType } from '../../src/kube/resource-type.ts';
import { bugLog } from './bug-log.ts';
import type { Cluster } from './open-cluster.ts';
import { OperatorProcess, type ProcessOptions } from './operator-process.ts';

export interface ClusterStageOptions {
  /** How long `until` waits when nobody says, in the cluster's time. */
  readonly patienceMs: number;
  /** Which errors fail the test, by their message. Default: what the operator itself calls a bug. */
  readonly isBug?: (message: string) => boolean;
}

/**
 * An embedded cluster, operators, a person and a clock that stands still. `expect` is part of it: what never comes true says
 * what was there instead.
 */
export abstract class ClusterStage implements AsyncDisposable {
  readonly clock: VirtualClock;
  readonly embedded: Embedded;
  /** What the cluster's administrator does. */
  readonly person: Client;
  /** What operators asked to be changed, `PUT /apis/…`; leases and events left out. */
  readonly writes: string[] = [];
  /** What fails the test in the end. There must be none. */
  readonly bugs: string[] = [];
  protected readonly listening: Log;
  readonly #patienceMs: number;

  protected constructor({ clock, embedded }: Cluster, options: ClusterStageOptions) {
    const { patienceMs, isBug = (message) => message.startsWith('a bug') } = options;
    this.clock = clock;
    this.embedded = embedded;
    this.person = new Client(embedded.transport(), { clock, userAgent: 'person' });
    this.listening = bugLog(this.bugs, isBug);
    this.#patienceMs = patienceMs;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.embedded.close();
    expect(this.bugs).toEqual([]);
  }

  /** Starts an operator, by default with all rights. */
  protected operate(
    options: Pick<ProcessOptions, 'random' | 'instance' | 'controllers'> & Partial<ProcessOptions>,
  ): OperatorProcess {
    return new OperatorProcess({
      transport: this.embedded.transport(),
      clock: this.clock,
      log: this.listening,
      onWrite: (write) => this.writes.push(write),
      ...options,
    });
  }

  /** Somebody who may do what RBAC says. */
  as(user: User): Client {
    return new Client(this.embedded.transport(user), { clock: this.clock, userAgent: user.name });
  }

  async apply(object: KubeObject): Promise<void> {
    await this.person.resource<KubeObject>(this.typeOf(object)).create(object);
  }

  typeOf({ kind, apiVersion }: KubeObject): ResourceType {
    const group = apiVersion.includes('/') ? apiVersion.split('/')[0] : '';
    const found = this.embedded.world.types().find((type) => type.kind === kind && type.group === group);
    return found ?? expect.fail(`no kind ${kind} of ${apiVersion} is served here`);
  }

  /** Lets time pass until it holds. */
  async until(what: string, holds: () => boolean, ms = this.#patienceMs): Promise<void> {
    if (!(await this.clock.runUntil(holds, ms))) this.neverCame(what);
  }

  protected neverCame(what: string): never {
    expect.fail(`never came true: ${what}\n${JSON.stringify(this.#present(), undefined, 1)}`);
  }

  /** All custom resources, and what runs. */
  #present(): readonly AnyObject[] {
    const { world } = this.embedded;
    const groups = world.list<Definition>(kinds.customResourceDefinitions).map(({ spec }) => spec.group);
    const types = [...world.types().filter(({ group }) => groups.includes(group)), ...running];
    return types.flatMap((type) => world.list(type));
  }
}

const running = [kinds.statefulSets, kinds.jobs, kinds.pods];

type Definition = KubeObject & { readonly spec: { readonly group: string } };
