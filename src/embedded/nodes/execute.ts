import { commandLine, isCommand, isShell } from '../programs/command-line.ts';
import { runScript } from '../programs/shell.ts';
import type { ExecOptions, ExecSession } from '../runtime.ts';
import type { World } from '../world.ts';
import type { ContainerRun } from './container-run.ts';
import { environmentOf } from './environment.ts';
import type { PodWorker } from './pod-worker.ts';
import { Queue } from './queue.ts';

interface Output {
  readonly stream: 'stdout' | 'stderr';
  readonly data: Uint8Array;
}

/** Runs a command in a container, in the small shell. With a bare `sh` the script is what comes on standard input. */
export function execute(world: World, worker: PodWorker, run: ContainerRun, options: ExecOptions): ExecSession {
  const pod = worker.pod();
  const output = new Queue<Output>();
  const input = new Input();
  const encoder = new TextEncoder();
  let cancel = (): void => {};
  let killed = false;
  const write = (stream: Output['stream'], printed: string | Uint8Array): void => {
    const data = typeof printed === 'string' ? encoder.encode(onTerminal(printed, options)) : printed;
    if (!killed) output.push({ stream: options.tty ? 'stdout' : stream, data });
  };
  const environment = environmentOf(world, pod, run.container);
  const shell = {
    pod,
    container: run.container,
    env: 'env' in environment ? environment.env : {},
    files: worker.files(run),
    clock: world.clock,
    random: world.random,
    write,
    pause: (ms: number) =>
      new Promise<void>((resolve) => {
        cancel = Number.isFinite(ms) ? world.clock.after(ms, resolve) : (): void => {};
      }),
    readInput: () => (options.stdin ? input.all() : Promise.resolve('')),
  };

  async function perform(): Promise<number> {
    const [first = '', flag = '', ...rest] = options.command;
    if (isShell(first)) {
      if (/^-\w*c$/.test(flag)) return runScript(rest[0] ?? '', shell);
      let code = 0;
      for await (const line of input.lines()) code = await runScript(line, shell);
      return code;
    }
    if (isCommand(first)) return runScript(commandLine(options.command), shell);
    const why = `exec: ${JSON.stringify(first)}: executable file not found in $PATH: unknown`;
    write('stderr', `OCI runtime exec failed: exec failed: unable to start container process: ${why}\n`);
    return 126;
  }

  const killing = Promise.withResolvers<number>();
  const exit = Promise.race([perform(), killing.promise]).then((code) => {
    output.close();
    return code;
  });
  return {
    output,
    exit,
    write: (data) => input.push(data),
    end: () => input.close(),
    kill() {
      killed = true;
      cancel();
      input.close();
      killing.resolve(137);
    },
  };
}

function onTerminal(text: string, { tty }: ExecOptions): string {
  return tty ? text.replaceAll('\n', '\r\n') : text;
}

/** Standard input: bytes as they come, read as a whole or line by line. */
class Input {
  readonly #chunks = new Queue<Uint8Array>();

  push(data: Uint8Array): void {
    this.#chunks.push(data);
  }

  close(): void {
    this.#chunks.close();
  }

  async all(): Promise<string> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.#chunks) chunks.push(chunk);
    return Buffer.concat(chunks).toString('utf8');
  }

  async *lines(): AsyncIterable<string> {
    let rest = '';
    const decoder = new TextDecoder();
    for await (const chunk of this.#chunks) {
      const parts = (rest + decoder.decode(chunk, { stream: true })).split(/\r\n|\r|\n/);
      rest = parts.pop() ?? '';
      yield* parts;
    }
    if (rest) yield rest;
  }
}
