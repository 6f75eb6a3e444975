import type { Program, Running } from '../../../src/embedded/programs/program.ts';

/** What the image of the recordings does besides serving: `env` succeeds, `cat FILE` does if the file is there. */
export const appCommands: Program = {
  name: 'commands of the app',
  runs: (image, [command = '']) => image.startsWith('rig.local/app') && ['env', 'cat'].includes(command),
  start({ argv: [command, file = ''], files, exit }) {
    exit(command === 'env' || files.read(file) !== undefined ? 0 : 1);
    return ended;
  },
};

const ended: Running = { stop: () => {}, kill: () => {} };
