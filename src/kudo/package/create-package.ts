import { gzipSync } from 'node:zlib';
import { fileHeader } from './archive/tar-header.ts';
import { operatorNameProblem } from './operator-name.ts';
import { PackageError } from './package-error.ts';

/**
 * The `.tgz` of a package. The same files give the same bytes, wherever and whenever: sorted, without owners, times or the
 * name of the machine; so an archive can be compared, cached and signed.
 */
export function createPackage(files: ReadonlyMap<string, Uint8Array>): Buffer {
  const parts: Uint8Array[] = [];
  for (const path of [...files.keys()].sort()) {
    const content = files.get(path) as Uint8Array;
    parts.push(header(path, content.length), content, Buffer.alloc((512 - (content.length % 512)) % 512));
  }
  parts.push(Buffer.alloc(1024));
  const packed = gzipSync(Buffer.concat(parts), { level: 9 });
  packed[9] = 0xff; // the operating system it was made on: unknown
  return packed;
}

/** `first-operator-0.1.0.tgz`, as repositories of KUDO name it. Versions have been verified. Errors: `PackageError`, for a name that may be a path. */
export function packageFileName(name: string, appVersion: string | undefined, operatorVersion: string): string {
  const problem = operatorNameProblem(name);
  if (problem !== undefined) throw new PackageError(problem);
  return `${name}-${appVersion ? `${appVersion}_` : ''}${operatorVersion}.tgz`;
}

function header(path: string, size: number): Buffer {
  try {
    return fileHeader(path, size);
  } catch (error) {
    throw new PackageError((error as Error).message);
  }
}
