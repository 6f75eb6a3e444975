import { type Command, CommanderError } from 'commander';
import { expect } from 'vitest';
import { steerCommand } from '../../src/cli/steer/steer-command.ts';
import type { FamilySource, SteerShell } from '../../src/cli/steer/steer-shell.ts';
import type { Word } from '../../src/cli/steer/words.ts';
import { seededRandom } from '../../src/clock/random.ts';
import type { VirtualClock } from '../../src/clock/virtual.ts';
import { cloudFoundryFamily } from '../../src/cloudfoundry/family.ts';
import type { Embedded } from '../../src/embedded/embedded.ts';
import type { User } from '../../src/embedded/gate.ts';
import { defaultOperatorConfig } from '../../src/flink/config/default-operator-config.ts';
import { flinkFamily } from '../../src/flink/family.ts';
import { Client } from '../../src/kube/client.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { AnyObject, KubeObject } from '../../src/kube/object.ts';
import type { Transport } from '../../src/kube/transport.ts';
import { kudoFamily } from '../../src/kudo/family.ts';
import type { Family } from '../../src/portrait/family.ts';
import { openCluster } from '../stage/open-cluster.ts';

/** What a command said, and how it ended. */
export interface Said {
  readonly out: string;
  readonly err: string;
  readonly code: number;
}

/** A command that goes on. */
export interface Running {
  said(): Said;
  /** Ctrl-C. */
  stop(): void;
  /** Lets time pass until it has ended. */
  ended(): Promise<Said>;
}

export interface Typing {
  readonly isTerminal?: boolean;
  /** Standard input. */
  readonly input?: string;
  /** What somebody answers when asked. */
  readonly answer?: string;
  /** Whose credentials are used; the administrator's by default. */
  readonly user?: User;
  readonly program?: string;
  /** In the place of the cluster's own. */
  readonly transport?: Transport;
}

const families: readonly Family[] = [flinkFamily(defaultOperatorConfig), cloudFoundryFamily, kudoFamily];

/** A Kubernetes without an operator, and somebody who types commands. What an operator would write the test writes. */
export class SteerStage implements AsyncDisposable {
  readonly clock: VirtualClock;
  readonly embedded: Embedded;
  /** The test's own. */
  readonly client: Client;
  /** What commands sent that could change something, with its query. */
  readonly writes: string[] = [];
  /** Families, and kinds to be summarised, that commands loaded. */
  readonly loaded: string[] = [];

  private constructor(clock: VirtualClock, embedded: Embedded) {
    this.clock = clock;
    this.embedded = embedded;
    this.client = new Client(embedded.transport(), { clock, userAgent: 'test' });
  }

  /** With the definitions of these families. */
  static async open(...names: readonly string[]): Promise<SteerStage> {
    const { clock, embedded } = await openCluster({ seed: 1, nodes: { count: 0 } });
    const stage = new SteerStage(clock, embedded);
    const definitions = families.filter(({ name }) => names.includes(name)).flatMap((family) => family.kinds);
    for (const { definition } of definitions) {
      await stage.client.resource<KubeObject>(kinds.customResourceDefinitions).create(definition);
    }
    const served = () =>
      definitions.every(({ type }) =>
        embedded.world.types().some(({ plural, group }) => plural === type.plural && group === type.group),
      );
    await clock.runUntil(served, 10_000);
    return stage;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.embedded.close();
  }

  /** Types a command; time passes until it has ended. */
  run(word: Word, ...args: readonly string[]): Promise<Said> {
    return this.type({}, word, ...args).ended();
  }

  type(typing: Typing, word: Word, ...args: readonly string[]): Running {
    const { isTerminal = false, input = '', answer = '', user, program = 'cutover' } = typing;
    let out = '';
    let err = '';
    let code = 0;
    let done = false;
    const stop = new AbortController();
    const shell: SteerShell = {
      write: (text) => {
        out += text;
      },
      writeError: (text) => {
        err += text;
      },
      isTerminal,
      columns: 100,
      rows: 50,
      cwd: '/',
      clock: this.clock,
      random: seededRandom(7),
      version: '1.2.3',
      program,
      colors: true,
      canAsk: answer !== '',
      ask: async (question) => {
        out += question;
        return answer;
      },
      input: async () => input,
      stopping: () => stop.signal,
      onResize: () => () => {},
      families: families.map(
        (family): FamilySource => ({
          name: family.name,
          group: family.kinds[0]?.type.group ?? '',
          kinds: family.workloads.map(({ type, words, summarize }) => ({
            type,
            words,
            titled: type.kind === 'CFApp',
            summarizer: async () => {
              this.loaded.push(type.kind);
              return summarize;
            },
          })),
          load: async () => {
            this.loaded.push(family.name);
            return family;
          },
        }),
      ),
      open: async ({ namespace = 'default' }) => ({
        client: new Client(typing.transport ?? this.#noting(user), { clock: this.clock, userAgent: 'cutover' }),
        namespace,
        server: 'in-process',
        close: async () => {},
      }),
      exit: (given) => {
        code = given;
      },
    };
    const finished = steerCommand(shell, word)
      .then((command) => throwing(command).parseAsync(args, { from: 'user' }))
      .catch((error) => {
        if (!(error instanceof CommanderError)) throw error;
        code = error.exitCode;
      })
      .finally(() => {
        done = true;
      });
    finished.catch(() => {});
    const said = (): Said => ({ out, err, code });
    return {
      said,
      stop: () => stop.abort(),
      ended: async () => {
        // Modules and files are read outside of the clock: each turn lets them come in.
        for (let turn = 0; turn < 5000 && !done; turn++) {
          await this.clock.advance(100);
          if (!done) await new Promise((next) => setTimeout(next, 1));
        }
        await (done ? finished : expect.fail(`the command does not end: ${JSON.stringify(said())}`));
        return said();
      },
    };
  }

  /** Lets time pass until `what` is so. */
  async until(what: () => boolean): Promise<void> {
    for (let turn = 0; turn < 5000 && !what(); turn++) {
      await this.clock.advance(50);
      if (!what()) await new Promise((next) => setTimeout(next, 1));
    }
    expect(what()).toBe(true);
  }

  #noting(user: User | undefined): Transport {
    const transport = this.embedded.transport(user);
    return {
      ...transport,
      request: (request) => {
        if (request.method !== 'GET') this.writes.push(`${request.method} ${request.path}`);
        return transport.request(request);
      },
    };
  }

  async create(...objects: readonly KubeObject[]): Promise<void> {
    for (const object of objects) await this.client.resource<KubeObject>(this.#type(object.kind)).create(object);
  }

  get(kind: string, name: string, namespace = 'default'): Promise<AnyObject> {
    return this.client.resource(this.#type(kind)).get({ namespace, name });
  }

  /** What the operator would write; it has seen the spec as it is now. */
  async report(kind: string, name: string, status: Readonly<Record<string, unknown>>): Promise<void> {
    const { metadata } = await this.get(kind, name);
    const body = { status: { observedGeneration: metadata.generation, ...status } };
    await this.client.resource(this.#type(kind)).status.patch({ namespace: 'default', name }, { type: 'merge', body });
  }

  #type(kind: string) {
    return this.embedded.world.types().find((type) => type.kind === kind) ?? expect.fail(`no kind ${kind}`);
  }
}

/** Commander would end the process. */
function throwing(command: Command): Command {
  command.exitOverride();
  for (const one of command.commands) throwing(one);
  return command;
}
