import type { Container, Pod } from '../kinds/objects/pod.ts';
import type { Files, Running } from '../programs/program.ts';
import { programFor } from '../programs/programs.ts';
import { environmentOf, substitute } from './environment.ts';
import type { Host } from './host.ts';
import type { LogBook } from './log-book.ts';
import { resolveHost } from './resolve-host.ts';

/** What a container is started from. */
export interface Launch {
  readonly pod: Pod;
  readonly container: Container;
  readonly image: string;
  readonly files: Files;
  readonly log: LogBook;
  /** Hears the code with which the program ended by itself, once. */
  exit(code: number): void;
}

/** Starts the program that a container means, with its arguments, variables and files. */
export function launch(host: Host, { pod, container, image, files, log, exit }: Launch): Running {
  const { world } = host;
  const environment = environmentOf(world, pod, container);
  const env = 'env' in environment ? environment.env : {};
  const argv = [...(container.command ?? []), ...(container.args ?? [])].map((word) => substitute(word, env));
  let over = false;
  const end = (code: number): void => {
    if (over) return;
    over = true;
    exit(code);
  };
  const running = programFor(host.programs, image, argv).start({
    pod,
    container,
    argv,
    env,
    files,
    clock: world.clock,
    random: world.random,
    resolve: (name) => resolveHost(world, pod.metadata.namespace ?? '', name),
    api: host.apiFor(pod),
    print: (text) => log.write(world.clock.now(), text),
    exit: (code) => void queueMicrotask(() => end(code)),
  });
  log.murmur(running.murmur);
  return running;
}
