import { constants } from 'node:fs';
import { lstat, open, readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { gunzip } from './archive/gunzip.ts';
import { readTar } from './archive/read-tar.ts';
import { PackageError } from './package-error.ts';
import { PACKAGE_LIMITS, type PackageFiles, type PackageLimits } from './package-files.ts';

/**
 * Reads a package from a folder or a `.tgz`. Of a folder only what belongs to the package itself is read: `operator.yaml`,
 * `params.yaml` and `templates/`; of an archive everything, for there may be other operators in it that the first one needs.
 *
 * Errors: `PackageError`, with the entry and the reason.
 */
export async function loadPackage(path: string, limits: PackageLimits = PACKAGE_LIMITS): Promise<PackageFiles> {
  const info = await stat(path).catch(() => undefined);
  if (!info) throw new PackageError(`there is no package at ${path}: it must be a folder or a .tgz file`);
  if (info.isDirectory()) return loadFolder(path, limits);
  const packed = info.isFile() ? await readRegular(path, limits.archiveBytes) : 'no file';
  if (packed === 'no file') throw new PackageError(`${path} is neither a folder nor a file`);
  if (packed === 'too large')
    throw new PackageError(`${path} is too large: an archive may have at most ${limits.archiveBytes} bytes`);
  return loadArchive(packed, path, limits);
}

/** A device never ends and a pipe may never begin, so only files are read; and one may grow while it is read. */
async function readRegular(path: string, most: number): Promise<Buffer | 'no file' | 'too large'> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const info = await handle.stat();
    if (!info.isFile()) return 'no file';
    if (info.size > most) return 'too large';
    const parts: Buffer[] = [];
    for (let left = most; ; ) {
      const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(Math.min(left + 1, 1 << 16)) });
      if (bytesRead === 0) return Buffer.concat(parts);
      left -= bytesRead;
      if (left < 0) return 'too large';
      parts.push(buffer.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
}

/** The same for an archive that is in memory. */
export async function loadArchive(
  packed: Uint8Array,
  origin: string,
  limits: PackageLimits = PACKAGE_LIMITS,
): Promise<PackageFiles> {
  const files = new Map<string, string>();
  for (const [path, bytes] of readTar(await gunzip(packed, origin, limits), origin, limits)) {
    files.set(path, bytes.toString('utf8'));
  }
  return { origin, files };
}

async function loadFolder(origin: string, limits: PackageLimits): Promise<PackageFiles> {
  const files = new Map<string, string>();
  for (const [path, bytes] of await readFolder(origin, limits, (top) =>
    ['operator.yaml', 'params.yaml', 'templates'].includes(top),
  )) {
    files.set(path, bytes.toString('utf8'));
  }
  return { origin, files };
}

/**
 * All files of a folder, sorted by path, that `wanted` says yes to by the first part of their path. A symbolic link counts as
 * the file it leads to, as long as that lies in the folder too: a package that was downloaded must not carry off other files.
 */
export async function readFolder(
  folder: string,
  limits: PackageLimits,
  wanted: (top: string) => boolean,
): Promise<ReadonlyMap<string, Buffer>> {
  const root = await realpath(folder);
  const found = new Map<string, Buffer>();
  let total = 0;
  const refuse = (path: string, why: string) => new PackageError(`${folder}: ${path} ${why}`);

  const walk = async (inside: string, depth: number): Promise<void> => {
    if (depth > limits.depth) throw refuse(inside, `lies in more than ${limits.depth} folders`);
    for (const name of (await readdir(join(root, inside))).sort()) {
      const path = inside === '' ? name : `${inside}/${name}`;
      if (inside === '' && !wanted(name)) continue;
      const real = await realpath(join(root, path)).catch(() => undefined);
      if (real === undefined) throw refuse(path, 'is a link that leads nowhere');
      if (real !== root && relative(root, real).split(sep)[0] === '..')
        throw refuse(path, 'is a link that leads out of the package');
      const info = await lstat(real);
      if (info.isDirectory()) {
        if (real !== join(root, path)) throw refuse(path, 'is a link to a folder; put the files themselves there');
        await walk(path, depth + 1);
        continue;
      }
      if (info.size > limits.fileBytes)
        throw refuse(path, `has ${info.size} bytes, and a file may have at most ${limits.fileBytes}`);
      const content = info.isFile() ? await readRegular(real, limits.fileBytes) : 'no file';
      if (content === 'no file') throw refuse(path, 'is neither a file nor a folder');
      if (content === 'too large')
        throw refuse(path, `is too large: a file may have at most ${limits.fileBytes} bytes`);
      total += content.length;
      if (total > limits.unpackedBytes)
        throw refuse(path, `is too much: at most ${limits.unpackedBytes} bytes are read`);
      if (found.size >= limits.files) throw refuse(path, `is one too many: at most ${limits.files} files are read`);
      found.set(path, content);
    }
  };
  await walk('', 0);
  return found;
}
