import { PackageError } from '../package-error.ts';
import type { PackageLimits } from '../package-files.ts';
import type { Unpacked } from './gunzip.ts';
import { readHeader, type TarHeader, text } from './tar-header.ts';

const BLOCK = 512;

/** What entries that are no files are called when they are refused. */
const refused: Readonly<Record<string, string>> = {
  1: 'is a hard link, and links are not followed',
  2: 'is a symbolic link, and links are not followed',
  3: 'is a device',
  4: 'is a device',
  6: 'is a named pipe',
};

/**
 * The files of a tar archive: POSIX (ustar, pax) and GNU's long names. Nothing is written anywhere; still, an entry that
 * could reach out of a folder is refused as a whole, because whoever packed it meant no good or lost control of it.
 * As with tar itself, a later entry of the same path replaces the earlier one.
 */
export function readTar(unpacked: Unpacked, origin: string, limits: PackageLimits): Map<string, Buffer> {
  const { bytes } = unpacked;
  const files = new Map<string, Buffer>();
  const refuse = (entry: string, why: string) => new PackageError(`${origin}: entry ${shown(entry)} ${why}`);
  /** What a pax or GNU header says of the entry after it. */
  let next: { readonly path?: string; readonly size?: number } = {};
  let entries = 0;

  for (let at = 0; ; ) {
    const block = bytes.subarray(at, at + BLOCK);
    if (block.length < BLOCK) {
      if (unpacked.stopped !== undefined)
        throw refuse(next.path ?? '(the next one)', `is too much: ${unpacked.stopped}`);
      break;
    }
    if (block.every((byte) => byte === 0)) break;
    const header = readHeader(block);
    if (!header) throw new PackageError(`${origin} is not a tar archive, or is damaged: byte ${at} begins no entry`);

    const path = next.path ?? header.path;
    const size = next.size ?? header.size;
    if (++entries > limits.files * 2) throw refuse(path, `is one too many: at most ${limits.files} files are read`);
    if (size > limits.fileBytes)
      throw refuse(path, `has ${size} bytes, and a file may have at most ${limits.fileBytes}`);
    const content = bytes.subarray(at + BLOCK, at + BLOCK + size);
    if (content.length < size)
      throw refuse(path, unpacked.stopped !== undefined ? `is too much: ${unpacked.stopped}` : 'is cut off');
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;

    const extension = extensionOf(header, content);
    if (extension) {
      next = { ...next, ...extension };
      continue;
    }
    next = {};
    if (header.type === '5' || header.type === 'g') continue;
    if (header.type !== '0' && header.type !== '7')
      throw refuse(path, refused[header.type] ?? `is of the unknown type ${JSON.stringify(header.type)}`);
    const clean = cleanPath(path, limits);
    if ('problem' in clean) throw refuse(path, clean.problem);
    files.set(clean.path, content);
    if (files.size > limits.files) throw refuse(path, `is one too many: at most ${limits.files} files are read`);
  }
  return files;
}

/** A name may be as long as a file; what is said of it is not. */
function shown(entry: string): string {
  return JSON.stringify(entry.length > 200 ? `${entry.slice(0, 200)}…` : entry);
}

/** An entry that only describes the one after it. */
function extensionOf(header: TarHeader, content: Buffer): { path?: string; size?: number } | undefined {
  if (header.type === 'L') return { path: text(content) };
  if (header.type === 'K') return {};
  if (header.type !== 'x') return undefined;
  const found: { path?: string; size?: number } = {};
  for (const [key, value] of paxRecords(content)) {
    if (key === 'path') found.path = value;
    if (key === 'size' && /^\d{1,15}$/.test(value)) found.size = Number(value);
  }
  return found;
}

/** `<length> <key>=<value>\n`, the length counting the whole record in bytes. */
function* paxRecords(content: Buffer): Generator<readonly [string, string]> {
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(0x20, at);
    const length = space < 0 ? Number.NaN : Number(content.toString('latin1', at, space));
    if (!Number.isInteger(length) || length <= space - at) return;
    const record = content.toString('utf8', space + 1, at + length - 1);
    const equals = record.indexOf('=');
    if (equals > 0) yield [record.slice(0, equals), record.slice(equals + 1)];
    at += length;
  }
}

function cleanPath(path: string, limits: PackageLimits): { readonly path: string } | { readonly problem: string } {
  if (path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path)) return { problem: 'has an absolute path' };
  const parts = path.split(/[\\/]/).filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) return { problem: 'leads out of the archive with ".."' };
  if (parts.length === 0) return { problem: 'has no name' };
  if (/^[A-Za-z]:$/.test(parts[0] ?? '')) return { problem: 'has an absolute path' };
  if ([...path].some((character) => character < ' ')) return { problem: 'has a control character in its name' };
  if (parts.length - 1 > limits.depth) return { problem: `lies in more than ${limits.depth} folders` };
  return { path: parts.join('/') };
}
