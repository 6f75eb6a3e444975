import type { Program } from '../../../../src/embedded/programs/program.ts';

/** `/bin/write PATH TEXT …` of the image that was recorded: writes files. */
export const writeProgram: Program = {
  name: 'write',
  runs: (_, [command]) => command === '/bin/write',
  start({ argv: [, ...pairs], files, print, exit }) {
    let code = 0;
    for (let at = 0; at + 1 < pairs.length; at += 2) {
      const [path = '', text = ''] = pairs.slice(at);
      const problem = files.write(path, Buffer.from(text.replaceAll('\\n', '\n')));
      if (problem === undefined) continue;
      print(`${path}: ${problem}`, 'stderr');
      code = 1;
    }
    exit(code);
    return { stop: () => {}, kill: () => {} };
  },
};
