import type { FlinkConfig } from '../config/flink-config.ts';
import { atLeast } from '../config/flink-version.ts';

export interface ConfigFile {
  readonly name: 'config.yaml' | 'flink-conf.yaml';
  readonly text: string;
}

/**
 * Keys that Flink 2 no longer reads. Each is also the beginning of other keys, so that in a nested file it could not even
 * be written beside them.
 */
const renamed = [
  ['high-availability', 'high-availability.type'],
  ['kubernetes.container.image', 'kubernetes.container.image.ref'],
  ['kubernetes.jobmanager.cpu', 'kubernetes.jobmanager.cpu.amount'],
  ['kubernetes.taskmanager.cpu', 'kubernetes.taskmanager.cpu.amount'],
  ['restart-strategy', 'restart-strategy.type'],
  ['state.backend', 'state.backend.type'],
] as const;

export type ConfigFileName = ConfigFile['name'];

/**
 * Which file Flink gets. From 2.0 on it reads nested YAML; before, a line per key, in which a value ends at `#` and at the
 * end of the line. 1.19 and 1.20 read both, and get YAML when a line could not hold a value.
 */
export function configFileName(config: FlinkConfig, flinkVersion: string | undefined): ConfigFileName {
  if (atLeast(flinkVersion, 'v2_0')) return 'config.yaml';
  const yaml = atLeast(flinkVersion, 'v1_19') && [...config.values()].some((value) => /[#\r\n]/.test(value.trimEnd()));
  return yaml ? 'config.yaml' : 'flink-conf.yaml';
}

const programArguments = '$internal.application.program-args';

/**
 * The configuration as the file that Flink reads. `programArgs` is a list where the file can have one. A problem when the
 * file cannot say what the configuration says.
 */
export function configFile(
  config: FlinkConfig,
  flinkVersion: string | undefined,
  programArgs: readonly string[],
): ConfigFile | { readonly problem: string } {
  return configFileName(config, flinkVersion) === 'config.yaml' ? nested(config, programArgs) : flat(config);
}

function flat(config: FlinkConfig): ConfigFile | { readonly problem: string } {
  const lines: string[] = [];
  for (const [key, value] of sorted(config)) {
    const line = `${key}: ${value.trimEnd()}`;
    if (/[\r\n]/.test(line)) return { problem: `flinkConfiguration: ${key} has several lines, ${unwritable}` };
    if (key === programArguments && value.includes('#')) {
      return { problem: `spec.job.args: an argument contains #, ${unwritable}, or use "mode: standalone"` };
    }
    lines.push(line);
  }
  return { name: 'flink-conf.yaml', text: `${lines.join('\n')}\n` };
}

const unwritable =
  'but the configuration file of Flink before 1.19 has one line per key, which ends at #; write it otherwise';

type Tree = Map<string, Tree | string>;

function nested(config: FlinkConfig, programArgs: readonly string[]): ConfigFile | { readonly problem: string } {
  const current = new Map(config);
  for (const [old, key] of renamed) {
    const value = current.get(old);
    if (value === undefined) continue;
    current.delete(old);
    if (!current.has(key)) current.set(key, value);
  }

  const root: Tree = new Map();
  for (const [key, value] of sorted(current)) {
    const path = key.split('.');
    let at = root;
    for (const [depth, part] of path.entries()) {
      const last = depth === path.length - 1;
      const there = at.get(part);
      if (typeof there === 'string' || (last && there)) return { problem: overlap(path.slice(0, depth + 1)) };
      if (last) at.set(part, key === programArguments ? flow(programArgs) : JSON.stringify(value));
      else {
        const next = there ?? new Map();
        at.set(part, next);
        at = next;
      }
    }
  }
  const lines: string[] = [];
  write(root, '', lines);
  return { name: 'config.yaml', text: `${lines.join('\n')}\n` };
}

function overlap(path: readonly string[]): string {
  const key = path.join('.');
  return `flinkConfiguration: ${key} has a value and is also the beginning of other keys, which nested YAML cannot have; write the present name of ${key}, or remove it`;
}

function write(tree: Tree, indent: string, lines: string[]): void {
  for (const [key, value] of tree) {
    const name =
      /^[A-Za-z$][\w$-]*$/.test(key) && !/^(y|n|yes|no|on|off|true|false|null)$/i.test(key) ? key : JSON.stringify(key);
    if (typeof value === 'string') lines.push(`${indent}${name}: ${value}`);
    else {
      lines.push(`${indent}${name}:`);
      write(value, `${indent}  `, lines);
    }
  }
}

/** JSON is YAML: quoted, no value is taken for anything but the text that it is. */
function flow(list: readonly string[]): string {
  return `[${list.map((element) => JSON.stringify(element)).join(', ')}]`;
}

/** By key, so that the same configuration is always the same file. */
function sorted(config: FlinkConfig): readonly (readonly [string, string])[] {
  return [...config].sort(([a], [b]) => (a < b ? -1 : 1));
}
