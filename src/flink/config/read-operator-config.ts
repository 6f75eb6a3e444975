import { readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { blueGreenOptions, idleBlueGreenOptions } from './blue-green-options.ts';
import { defaultOperatorConfig } from './default-operator-config.ts';
import { idleOptions } from './idle-options.ts';
import type { OperatorConfig } from './operator-config.ts';
import { operatorOptions } from './operator-options.ts';
import { problemsWith } from './option.ts';
import { operatorFiles, parseOperatorConfig } from './parse-operator-config.ts';

/** The configuration of the family cannot be used; the message says which file and why. */
export class OperatorConfigError extends Error {
  override readonly name = 'OperatorConfigError';
}

/**
 * The operator's configuration: what the file, or the files of the directory, say over our own defaults. Log files that are
 * there replace ours.
 *
 * @throws OperatorConfigError when it cannot be read, or when a key of the operator itself has a value that cannot be
 */
export async function readOperatorConfig(path: string | undefined): Promise<OperatorConfig> {
  const defaults = defaultOperatorConfig();
  if (path === undefined) return defaults;
  const files = await filesAt(path).catch((cause: unknown) => {
    throw new OperatorConfigError(`${path} cannot be read: ${(cause as Error).message}`, { cause });
  });
  const config = parseOperatorConfig(files);
  if ('problem' in config) throw new OperatorConfigError(`${path}: ${config.problem}`);
  const written = new Map(Object.entries(config.settings));
  const tables = [operatorOptions, idleOptions, blueGreenOptions, idleBlueGreenOptions];
  const problems = tables.flatMap((table) => problemsWith(written, table));
  if (problems.length > 0) throw new OperatorConfigError(`${path}: ${problems.join('; ')}`);
  const logFiles = Object.keys(config.logFiles).length > 0 ? config.logFiles : defaults.logFiles;
  return { settings: { ...defaults.settings, ...config.settings }, logFiles };
}

/** The files of a directory by name; a single file counts as `config.yaml` unless it has the older name. */
async function filesAt(path: string): Promise<Record<string, string>> {
  if (!(await stat(path)).isDirectory()) {
    const name = basename(path) === 'flink-conf.yaml' ? 'flink-conf.yaml' : 'config.yaml';
    return { [name]: await readFile(path, 'utf8') };
  }
  const read = operatorFiles.map(async (name) => {
    const text = await readFile(join(path, name), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    return text === undefined ? [] : [[name, text] as const];
  });
  return Object.fromEntries((await Promise.all(read)).flat());
}
