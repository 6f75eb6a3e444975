import { parse } from 'yaml';
import { flatConfig } from './flink-config.ts';
import type { OperatorConfig } from './operator-config.ts';

const logFiles = ['log4j-console.properties', 'logback-console.xml'];

/** The files that mean something, by name. */
export const operatorFiles = ['config.yaml', 'flink-conf.yaml', ...logFiles] as const;

/**
 * The operator's configuration from files by name, in the format of the Java operator: `config.yaml` (YAML, nested or
 * flat) or else `flink-conf.yaml` (a line per key), and the log configuration of clusters. Other files mean nothing.
 */
export function parseOperatorConfig(
  files: Readonly<Record<string, string>>,
): OperatorConfig | { readonly problem: string } {
  const logs = logFiles.flatMap((name) => {
    const text = fileNamed(files, name);
    return text === undefined ? [] : [[name, text] as const];
  });
  const settings = settingsIn(files);
  if (typeof settings === 'string') return { problem: settings };
  return { settings, logFiles: Object.fromEntries(logs) };
}

function settingsIn(files: Readonly<Record<string, string>>): Readonly<Record<string, string>> | string {
  const yaml = fileNamed(files, 'config.yaml');
  if (yaml === undefined) return Object.fromEntries(lines(fileNamed(files, 'flink-conf.yaml') ?? ''));
  let content: unknown;
  try {
    // What the parser would warn of is foreign text, and does not belong between the lines of a log.
    content = parse(yaml, { logLevel: 'error' });
  } catch (error) {
    return `config.yaml is not YAML: ${error instanceof Error ? error.message.split('\n')[0] : error}`;
  }
  if (content === null || content === undefined) return {};
  if (typeof content !== 'object' || Array.isArray(content)) {
    return 'config.yaml is not a map of keys; write for example "taskmanager.numberOfTaskSlots: 2"';
  }
  return Object.fromEntries(flatConfig(content));
}

/** `key: value` per line; from `#` on a line is a comment, as Flink reads it. */
function* lines(text: string): Iterable<readonly [string, string]> {
  for (const line of text.split(/\r?\n/)) {
    const [written = ''] = line.trimStart().split('#', 1);
    // A key may begin with a colon.
    const colon = written.slice(1).search(/:\s/) + 1;
    const [key, value] = [written.slice(0, colon).trim(), written.slice(colon + 1).trim()];
    if (colon > 0 && value !== '') yield [key, value];
  }
}

function fileNamed(files: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(files, name) ? files[name] : undefined;
}
