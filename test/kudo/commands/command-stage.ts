import type { Command } from 'commander';
import { CommanderError } from 'commander';
import { expect } from 'vitest';
import { seededRandom } from '../../../src/clock/random.ts';
import type { VirtualClock } from '../../../src/clock/virtual.ts';
import type { Embedded } from '../../../src/embedded/embedded.ts';
import { Client } from '../../../src/kube/client.ts';
import { kinds } from '../../../src/kube/kinds.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import type { Transport } from '../../../src/kube/transport.ts';
import { kudoCommand } from '../../../src/kudo/commands/kudo-command.ts';
import { kudoKinds } from '../../../src/kudo/resources/all.ts';
import { type Instance, type InstanceStatus, instance } from '../../../src/kudo/resources/instance.ts';
import { operatorVersion } from '../../../src/kudo/resources/operator-version.ts';
import type { Shell } from '../../../src/portrait/text/shell.ts';
import { crd } from '../../../src/schema/crd.ts';
import { type Cluster, openCluster } from '../../stage/open-cluster.ts';

/** What a command said, and how it ended. */
export interface Said {
  readonly out: string;
  readonly err: string;
  readonly code: number;
}

/** A command that goes on. */
export interface Running {
  said(): Said;
  /** Lets time pass until it has ended. `meanwhile` is done again and again until then. */
  ended(meanwhile?: () => Promise<void>): Promise<Said>;
}

export interface StageOptions {
  readonly isTerminal?: boolean;
  readonly cwd?: string;
  /** Whether the kinds are known to the cluster. Default: yes. */
  readonly init?: boolean;
}

/** A Kubernetes without an operator, and somebody who types commands. What an operator would write the test writes. */
export class CommandStage implements AsyncDisposable {
  readonly clock: VirtualClock;
  readonly embedded: Embedded;
  /** The test's own. */
  readonly client: Client;
  /** What commands asked to be changed. */
  readonly writes: string[] = [];
  readonly #options: StageOptions;
  #commands = 7;

  private constructor({ clock, embedded }: Cluster, options: StageOptions) {
    this.clock = clock;
    this.embedded = embedded;
    this.client = new Client(embedded.transport(), { clock, userAgent: 'test' });
    this.#options = options;
  }

  static async open(options: StageOptions = {}): Promise<CommandStage> {
    const stage = new CommandStage(await openCluster({ seed: 1, nodes: { count: 0 } }), options);
    if (options.init ?? true) {
      const definitions = stage.client.resource<KubeObject>(kinds.customResourceDefinitions);
      for (const kind of kudoKinds) await definitions.create({ ...crd(kind) });
      const served = () =>
        kudoKinds.every((kind) => stage.embedded.world.types().some((type) => type.plural === kind.type.plural));
      await stage.clock.runUntil(served, 10_000);
    }
    return stage;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.embedded.close();
  }

  /** Types a command. Time passes until it has ended. */
  async run(...args: readonly string[]): Promise<Said> {
    const running = this.start(...args);
    return running.ended();
  }

  /** Types a command that goes on while the test does something. */
  start(...args: readonly string[]): Running {
    let out = '';
    let err = '';
    let code = 0;
    let done = false;
    const shell: Shell = {
      write: (text) => {
        out += text;
      },
      writeError: (text) => {
        err += text;
      },
      isTerminal: this.#options.isTerminal ?? false,
      columns: 100,
      cwd: this.#options.cwd ?? '/',
      clock: this.clock,
      random: seededRandom(this.#commands++),
      version: '1.2.3',
      open: async ({ namespace = 'default' }) => ({
        client: new Client(this.#noting(), { clock: this.clock, userAgent: 'kubectl-kudo' }),
        namespace,
        server: 'in-process',
        close: async () => {},
      }),
      exit: (given) => {
        code = given;
      },
    };
    const command = kudoCommand(shell);
    throwing(command);
    const finished = command
      .parseAsync(args, { from: 'user' })
      .catch((error) => {
        if (!(error instanceof CommanderError)) throw error;
        code = error.exitCode;
      })
      .finally(() => {
        done = true;
      });
    const said = (): Said => ({ out, err, code });
    return {
      said,
      ended: async (meanwhile) => {
        // Files are read outside of the clock: each turn lets them come in.
        for (let turn = 0; turn < 20_000 && !done; turn++) {
          await this.clock.advance(250);
          if (!done) await new Promise((next) => setTimeout(next, 1));
          if (!done) await meanwhile?.();
        }
        await (done ? finished : expect.fail(`the command does not end: ${JSON.stringify(said())}`));
        return said();
      },
    };
  }

  #noting(): Transport {
    const transport = this.embedded.transport();
    return {
      ...transport,
      request: (request) => {
        if (request.method !== 'GET') this.writes.push(`${request.method} ${request.path.replace(/\?.*$/, '')}`);
        return transport.request(request);
      },
    };
  }

  async create(...objects: readonly KubeObject[]): Promise<void> {
    for (const object of objects) {
      const type = this.embedded.world.types().find(({ kind }) => kind === object.kind);
      await this.client.resource<KubeObject>(type ?? expect.fail(`no kind ${object.kind}`)).create(object);
    }
  }

  instance(name: string, namespace = 'default'): Promise<Instance> {
    return this.client.resource<Instance>(instance.type).get({ namespace, name });
  }

  /** What the operator would write; it has seen the spec as it is now. */
  async report(name: string, status: InstanceStatus, namespace = 'default'): Promise<void> {
    const { metadata, spec } = await this.instance(name, namespace);
    const accepted = { operatorVersion: spec.operatorVersion, parameters: spec.parameters ?? {} };
    const body = { status: { observedGeneration: metadata.generation, accepted, ...status } };
    await this.client.resource<Instance>(instance.type).status.patch({ namespace, name }, { type: 'merge', body });
  }
}

/** Commander would end the process. */
function throwing(command: Command): void {
  command.exitOverride();
  for (const one of command.commands) throwing(one);
}

/** An OperatorVersion with plans of one phase with one step each. */
export function versionOf(
  name: string,
  plans: readonly string[],
  parameters: readonly { readonly name: string }[] = [],
): KubeObject {
  const plan = {
    strategy: 'serial',
    phases: [{ name: 'main', strategy: 'serial', steps: [{ name: 'work', tasks: ['work'] }] }],
  };
  return {
    apiVersion: operatorVersion.apiVersion,
    kind: 'OperatorVersion',
    metadata: { name, namespace: 'default' },
    spec: {
      operator: { kind: 'Operator', name: name.replace(/-.*/, '') },
      version: '0.1.0',
      parameters,
      tasks: [{ name: 'work', kind: 'Dummy', spec: { done: true } }],
      plans: Object.fromEntries(plans.map((one) => [one, plan])),
    },
  } as KubeObject;
}

export function instanceOf(
  name: string,
  version: string,
  parameters: Readonly<Record<string, string>> = {},
): KubeObject {
  return {
    apiVersion: instance.apiVersion,
    kind: 'Instance',
    metadata: { name, namespace: 'default' },
    spec: { operatorVersion: { name: version }, parameters },
  } as KubeObject;
}

/** One execution, as status tells of it. */
export function execution(plan: string, uid: string): NonNullable<InstanceStatus['execution']> {
  return { uid, plan, cause: 'trigger', forced: true, restartUID: uid, startedAt: '2030-01-01T00:00:00Z', shown: true };
}

export function past(
  plan: string,
  uid: string,
  outcome: NonNullable<InstanceStatus['history']>[number]['outcome'],
): NonNullable<InstanceStatus['history']>[number] {
  const { shown: _, ...begun } = execution(plan, uid);
  return { ...begun, outcome, endedAt: '2030-01-01T00:00:05Z' };
}

/** The status of a plan of `versionOf`. */
export function planStatus(plan: string, status: string, message?: string): NonNullable<InstanceStatus['planStatus']> {
  const steps = [{ name: 'work', status, ...(message !== undefined && { message }) }];
  const one = {
    name: plan,
    status,
    lastUpdatedTimestamp: '2030-01-01T00:00:05Z',
    phases: [{ name: 'main', status, steps }],
  };
  return { [plan]: one };
}
