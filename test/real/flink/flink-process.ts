import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Child, startChild } from '../../../rig/child.ts';

/** Where a cluster listens on this machine. */
export interface Ports {
  readonly rest: number;
  readonly rpc: number;
}

export interface FlinkProcessOptions {
  readonly flinkHome: string;
  readonly javaHome: string;
  /** What its container would be started with: a role of Flink, and arguments. */
  readonly args: readonly string[];
  /** The configuration, by file name. */
  readonly files: Readonly<Record<string, string>>;
  readonly ports: Ports;
  readonly directory: string;
}

const GRACE_MS = 2_000;

/** A JobManager or TaskManager outside of any container. When it ends by itself, it is started again, as a kubelet would. */
export class FlinkProcess {
  readonly #options: FlinkProcessOptions;
  readonly #role: string;
  #child: Child;
  #wanted = true;

  constructor(options: FlinkProcessOptions) {
    this.#options = options;
    const [role = ''] = options.args;
    this.#role = role;
    mkdirSync(join(options.directory, 'conf'), { recursive: true });
    for (const [name, text] of Object.entries(options.files))
      writeFileSync(join(options.directory, 'conf', name), text);
    this.#child = this.#start();
  }

  /** A JobManager is ready once it answers; of a TaskManager Kubernetes knows only that it runs. */
  async isReady(): Promise<boolean> {
    if (this.#role === 'taskmanager') return true;
    const answer = await fetch(`http://127.0.0.1:${this.#options.ports.rest}/config`).catch(() => undefined);
    await answer?.body?.cancel();
    return answer?.ok ?? false;
  }

  async end(): Promise<void> {
    this.#wanted = false;
    await this.#child.stop(GRACE_MS);
  }

  #start(): Child {
    const { flinkHome, javaHome, args, directory } = this.#options;
    const child = startChild(this.#role, {
      command: join(flinkHome, 'bin', `${this.#role}.sh`),
      args: ['start-foreground', ...this.#places(), ...args.slice(1)],
      cwd: directory,
      log: join(directory, 'log'),
      env: { JAVA_HOME: javaHome, FLINK_CONF_DIR: join(directory, 'conf'), FLINK_LOG_DIR: directory },
    });
    void child.ended.then(() => {
      if (this.#wanted) this.#child = this.#start();
    });
    return child;
  }

  /** On this machine only, and beside others: whatever the configuration says of addresses and ports. */
  #places(): readonly string[] {
    const { rest, rpc } = this.#options.ports;
    const properties = {
      'jobmanager.rpc.address': '127.0.0.1',
      'jobmanager.bind-host': '127.0.0.1',
      'jobmanager.rpc.port': rpc,
      'rest.address': '127.0.0.1',
      'rest.bind-address': '127.0.0.1',
      'rest.port': rest,
      'rest.bind-port': rest,
      'blob.server.port': 0,
      'taskmanager.host': '127.0.0.1',
      'taskmanager.bind-host': '127.0.0.1',
      'taskmanager.rpc.port': 0,
    };
    return Object.entries(properties).flatMap(([key, value]) => ['-D', `${key}=${value}`]);
  }
}
