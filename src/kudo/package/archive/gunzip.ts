import { createGunzip } from 'node:zlib';
import { PackageError } from '../package-error.ts';
import type { PackageLimits } from '../package-files.ts';

/** What came out of an archive. When `stopped` says why, it is only the beginning. */
export interface Unpacked {
  readonly bytes: Buffer;
  readonly stopped?: string;
}

/** Unpacks, and stops as soon as it is too much: a bomb of a few kilobytes never becomes gigabytes of memory. */
export async function gunzip(packed: Uint8Array, origin: string, limits: PackageLimits): Promise<Unpacked> {
  const unzip = createGunzip();
  const chunks: Buffer[] = [];
  let size = 0;
  unzip.end(packed);
  try {
    for await (const chunk of unzip) {
      chunks.push(chunk as Buffer);
      size += (chunk as Buffer).length;
      const stopped = tooMuch(size, packed.length, limits);
      if (stopped !== undefined) return { bytes: Buffer.concat(chunks), stopped };
    }
  } catch (error) {
    throw new PackageError(`${origin} is not a gzipped archive, or is damaged: ${(error as Error).message}`);
  } finally {
    unzip.destroy();
  }
  return { bytes: Buffer.concat(chunks) };
}

function tooMuch(size: number, packed: number, limits: PackageLimits): string | undefined {
  if (size > limits.unpackedBytes) return `the archive unpacks to more than ${limits.unpackedBytes} bytes`;
  if (size > 1 << 20 && size > packed * limits.ratio)
    return `the archive unpacks to more than ${limits.ratio} times its size`;
  return undefined;
}
