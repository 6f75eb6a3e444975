import { PortError } from '../../control/port.ts';
import { readTar } from '../package/archive/read-tar.ts';
import { PackageError } from '../package/package-error.ts';
import { PACKAGE_LIMITS } from '../package/package-files.ts';
import { runCommand, type Shell } from './run-command.ts';

/** No ConfigMap and no Secret holds more. */
const largestFile = 1 << 20;

/** Headers and padding of an archive with one file, whatever its name. */
const wrapping = 64 << 10;

/**
 * A file of a container, by what any image with a shell brings along. The container may be in the hands of whoever wrote the
 * package: nothing that it says is taken at its word.
 *
 * Errors: `PortError`, `refused` when there is no such file or it is too large.
 */
export async function fetchFile(path: string, shell: Shell): Promise<Buffer> {
  const size = await sizeOf(path, shell);
  if (size > largestFile) throw tooLarge(path, size);
  const packed = await runCommand(['tar', 'cf', '-', path], largestFile + wrapping, shell);
  if (!packed) throw new PortError('refused', `pipe file ${path} is larger than ${largestFile} bytes`);
  if (packed.code !== 0) {
    const { code, stderr } = packed;
    throw new PortError(
      'refused',
      `command failed: failed to copy pipe file. err: command terminated with exit code ${code}, stderr: ${stderr}`,
    );
  }
  return unpacked(path, packed.stdout);
}

async function sizeOf(path: string, shell: Shell): Promise<number> {
  const answer = await runCommand(['stat', '-c', '%s', path], wrapping, shell);
  if (!answer) throw new PortError('refused', `failed to parse the size of the file ${path}: it is no number`);
  const { code, stdout, stderr } = answer;
  if (code !== 0) {
    throw new PortError(
      'refused',
      `command failed: failed to get the size of ${path}, err: command terminated with exit code ${code}, stderr: ${stderr}`,
    );
  }
  const text = stdout.toString('utf8').trim();
  if (!/^\d{1,15}$/.test(text)) {
    throw new PortError('refused', `failed to parse the size of the file ${path}: it is no number`);
  }
  return Number(text);
}

function unpacked(path: string, archive: Buffer): Buffer {
  const limits = { ...PACKAGE_LIMITS, fileBytes: largestFile, files: 1, depth: 64 };
  try {
    const file = readTar({ bytes: archive }, `the archive of ${path}`, limits).get(path.slice(1));
    if (file) return file;
  } catch (error) {
    if (!(error instanceof PackageError)) throw error;
    throw new PortError('refused', `failed to untar pipe file: ${error.message}`, { cause: error });
  }
  throw new PortError('refused', `failed to untar pipe file: ${path} is not a file`);
}

function tooLarge(path: string, size: number): PortError {
  return new PortError('refused', `pipe file ${path} size ${size} exceeds maximum file size of ${largestFile} bytes`);
}
