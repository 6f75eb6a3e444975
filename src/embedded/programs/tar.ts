import type { Files } from './program.ts';
import type { Command } from './shell-state.ts';

const block = 512;

/** `tar cf - PATH…`: an archive of files and folders on standard output, as `kubectl cp` and others ask for. */
export const tar: Command = ([flags = '', ...rest], state) => {
  const isOut = /^-?c$/.test(flags) || (/^-?cf$/.test(flags) && rest[0] === '-');
  if (!isOut) {
    state.write('stderr', 'tar: only "tar cf - PATH…" is known here\n');
    return 1;
  }
  let code = 0;
  const parts: Uint8Array[] = [];
  for (const path of /f/.test(flags) ? rest.slice(1) : rest) {
    const found = filesUnder(path, state.files);
    if (found.length === 0 && !state.files.list(path)) {
      state.write('stderr', `tar: ${path}: No such file or directory\n`);
      code = 1;
    }
    if (path.startsWith('/')) state.write('stderr', `tar: removing leading '/' from member names\n`);
    for (const [name, content] of found) {
      parts.push(header(name.replace(/^\/+/, ''), content.length), content);
      parts.push(new Uint8Array(-content.length & (block - 1)));
    }
  }
  state.write('stdout', Buffer.concat([...parts, new Uint8Array(2 * block)]));
  if (code !== 0) state.write('stderr', 'tar: error exit delayed from previous errors\n');
  return code;
};

function filesUnder(path: string, files: Files, depth = 0): readonly (readonly [string, Uint8Array])[] {
  const content = files.read(path);
  if (content) return [[path, content]];
  if (depth > 50) return [];
  const folder = path.replace(/\/+$/, '');
  return (files.list(path) ?? []).flatMap((name) => filesUnder(`${folder}/${name}`, files, depth + 1));
}

/** As POSIX wrote it down in 1988. A path that is too long for it is cut off. */
function header(path: string, size: number): Uint8Array {
  const bytes = Buffer.alloc(block);
  bytes.write(path.slice(0, 100), 0);
  bytes.write('0000644\x000000000\x000000000\0', 100, 'latin1');
  bytes.write(`${size.toString(8).padStart(11, '0')}\0`, 124, 'latin1');
  bytes.write(`${'0'.repeat(11)}\0${' '.repeat(8)}0`, 136, 'latin1');
  bytes.write('ustar\x0000', 257, 'latin1');
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return bytes;
}
