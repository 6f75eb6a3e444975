import { commandLine, isCommand, isShell } from './command-line.ts';
import { imageName } from './image-name.ts';
import type { Program, Surroundings } from './program.ts';
import { runScript } from './shell.ts';
import type { ShellWorld } from './shell-state.ts';

const shellImages = ['busybox', 'alpine', 'debian', 'ubuntu', 'bash'];

/**
 * `sh -c '…'`, or one of the shell's commands by itself (`sleep 3600`, `echo hello`). As the first process of its
 * container it does not hear SIGTERM, just as in a real one: it is killed when its grace is over.
 */
export const shellProgram: Program = {
  name: 'shell',
  runs(image, argv) {
    const [first = ''] = argv;
    return argv.length > 0 ? isShell(first) || isCommand(first) : shellImages.includes(imageName(image));
  },
  start(here) {
    const { script, pause, cancel } = prepare(here);
    const world: ShellWorld = {
      ...here,
      write: (stream, output) => here.print(Buffer.from(output).toString().replace(/\n$/, ''), stream),
      pause,
      readInput: async () => '',
    };
    void runScript(script, world).then(here.exit);
    return { stop: () => {}, kill: cancel };
  },
};

function prepare({ argv, clock }: Surroundings): {
  readonly script: string;
  pause(ms: number): Promise<void>;
  cancel(): void;
} {
  let cancel = (): void => {};
  const [first = '', flag = '', ...rest] = argv;
  const script = isShell(first) ? (/^-\w*c$/.test(flag) ? (rest[0] ?? '') : '') : commandLine(argv);
  return {
    script,
    pause: (ms) =>
      new Promise((resolve) => {
        cancel = Number.isFinite(ms) ? clock.after(ms, resolve) : (): void => {};
      }),
    cancel: () => cancel(),
  };
}
