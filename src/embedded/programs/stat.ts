import type { Command } from './shell-state.ts';

/** `stat`, or `stat -c FORMAT` with `%s`, `%n` and `%F`. */
export const stat: Command = (args, state) => {
  const at = args.indexOf('-c');
  const format = at < 0 ? '  File: %n\n  Size: %s\t%F' : (args[at + 1] ?? '');
  const paths = at < 0 ? args : args.toSpliced(at, 2);
  let code = 0;
  for (const path of paths) {
    const content = state.files.read(path);
    if (!content && !state.files.list(path)) {
      state.write('stderr', `stat: can't stat '${path}': No such file or directory\n`);
      code = 1;
      continue;
    }
    const facts: Readonly<Record<string, string>> = {
      '%n': path,
      '%s': String(content?.length ?? 4096),
      '%F': content ? 'regular file' : 'directory',
      '%%': '%',
    };
    state.write('stdout', `${format.replace(/%[nsF%]/g, (mark) => facts[mark] ?? mark)}\n`);
  }
  return code;
};
