import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClusterAnswer } from './cluster.ts';
import type { AskedAnswer, AskedQuestion } from './job-managers.ts';

/** A cluster full of FlinkDeployments at rest: an API server in one process, all JobManagers in another. */
export interface StandingCluster extends AsyncDisposable {
  /** A file. */
  readonly kubeconfig: string;
  /** For `--flink-rest`. */
  readonly flinkRest: string;
  /** Begins to count anew which Flink clusters were asked. */
  forget(): void;
  /** How many Flink clusters were asked since `forget`. */
  asked(): Promise<number>;
}

/** Starts it on what is in the directory. */
export async function startCluster(data: string): Promise<StandingCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'cutover-bench-'));
  const server = new Part<never, ClusterAnswer>('cluster.ts', [data]);
  const managers = new Part<AskedQuestion, AskedAnswer>('job-managers.ts');
  const [at, where] = await Promise.all([server.hear(), managers.hear()]);
  if (!('port' in where)) throw new Error('the cluster did not say where it is');
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, at.kubeconfig, { mode: 0o600 });
  return {
    kubeconfig,
    flinkRest: `http://127.0.0.1:${where.port}/clusters/{namespace}/{name}`,
    forget: () => managers.tell('forget'),
    async asked() {
      managers.tell('count');
      const said = await managers.hear();
      return 'asked' in said ? said.asked : Number.NaN;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([server.end(), managers.end()]);
      rmSync(folder, { recursive: true });
    },
  };
}

/** A process that answers. */
class Part<Question extends string, Answer> {
  readonly #file: string;
  readonly #child: ChildProcess;

  constructor(file: string, args: readonly string[] = []) {
    this.#file = file;
    this.#child = fork(join(import.meta.dirname, file), args, { execArgv: ['--max-old-space-size=8192'] });
  }

  tell(question: Question): void {
    this.#child.send(question);
  }

  /** The next that it says. */
  async hear(): Promise<Answer> {
    const gone = new AbortController();
    const ended = once(this.#child, 'exit', gone).then(([code]) => {
      throw new Error(`${this.#file} ended with ${code}`);
    });
    try {
      const [said] = (await Promise.race([once(this.#child, 'message', gone), ended])) as [Answer];
      return said;
    } finally {
      ended.catch(() => {});
      gone.abort();
    }
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = once(this.#child, 'exit');
    if (this.#child.connected) this.#child.disconnect();
    await gone;
  }
}
