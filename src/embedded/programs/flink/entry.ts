import { imageTag } from './image-tag.ts';

/** What a container of a Flink image was asked to be. */
export type Entry =
  | {
      readonly role: 'jobmanager';
      /** `application`: runs one job that its configuration and arguments name. `session`: runs what is submitted. */
      readonly mode: 'application' | 'session';
      /** `native`: makes its own TaskManager pods. `standalone`: takes those that register. */
      readonly resources: 'native' | 'standalone';
      /** `-D` properties of the command line; they win over the configuration file. */
      readonly properties: Readonly<Record<string, string>>;
      /** What is left for the job's own main method. */
      readonly programArguments: readonly string[];
    }
  | {
      readonly role: 'taskmanager';
      readonly resources: 'native' | 'standalone';
      readonly properties: Readonly<Record<string, string>>;
    };

const nativeModes = { 'kubernetes-application': 'application', 'kubernetes-session': 'session' } as const;

/** Options of `standalone-job` that take a value, and the configuration key that each stands for. */
const valued: Readonly<Record<string, string>> = {
  '--job-classname': '$internal.application.main',
  '-j': '$internal.application.main',
  '--fromSavepoint': 'execution.savepoint.path',
  '-s': 'execution.savepoint.path',
  '--job-id': '$internal.pipeline.job-id',
  '-jid': '$internal.pipeline.job-id',
  '--host': 'jobmanager.rpc.address',
  '-h': 'jobmanager.rpc.address',
  '--webui-port': 'rest.port',
  '-r': 'rest.port',
  '--jars': 'pipeline.jars',
  '--configDir': '',
  '-c': '',
  '--restoreMode': 'execution.savepoint-restore-mode',
  '--claimMode': 'execution.savepoint-restore-mode',
};

const flags: Readonly<Record<string, string>> = {
  '--allowNonRestoredState': 'execution.savepoint.ignore-unclaimed-state',
  '-n': 'execution.savepoint.ignore-unclaimed-state',
};

/** What a command line of a Flink image means; undefined for any other command line. */
export function entryOf(argv: readonly string[]): Entry | undefined {
  const words = argv[0]?.endsWith('docker-entrypoint.sh') ? argv.slice(1) : argv;
  const [first, flag, script] = words;
  if (first === 'bash' && flag === '-c' && script !== undefined) return nativeEntry(splitScript(script));
  if (first?.startsWith('kubernetes-')) return nativeEntry(words);
  switch (first) {
    case 'standalone-job': {
      const { properties, rest } = options(words.slice(1));
      return { role: 'jobmanager', mode: 'application', resources: 'standalone', properties, programArguments: rest };
    }
    case 'jobmanager': {
      const { properties } = options(words.slice(1));
      return { role: 'jobmanager', mode: 'session', resources: 'standalone', properties, programArguments: [] };
    }
    case 'taskmanager':
      return { role: 'taskmanager', resources: 'standalone', properties: options(words.slice(1)).properties };
    default:
      return undefined;
  }
}

function nativeEntry([command = '', mode = '', ...rest]: readonly string[]): Entry | undefined {
  const script = command.split('/').at(-1);
  if (script === 'kubernetes-taskmanager.sh') {
    return { role: 'taskmanager', resources: 'native', properties: options([mode, ...rest]).properties };
  }
  if (script !== 'kubernetes-jobmanager.sh' || !Object.hasOwn(nativeModes, mode)) return undefined;
  const { properties, rest: programArguments } = options(rest);
  return {
    role: 'jobmanager',
    mode: nativeModes[mode as keyof typeof nativeModes],
    resources: 'native',
    properties,
    programArguments,
  };
}

/** Reads options until the first word that is none; what follows belongs to the job. */
function options(words: readonly string[]): {
  readonly properties: Readonly<Record<string, string>>;
  readonly rest: readonly string[];
} {
  const found: [string, string][] = [];
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '') continue;
    const next = words[at + 1];
    if (word === '-D' || word === '--D') {
      found.push(property(next ?? ''));
      at++;
    } else if (word.startsWith('-D')) {
      found.push(property(word.slice(2)));
    } else if (Object.hasOwn(flags, word)) {
      found.push([flags[word] ?? '', 'true']);
    } else if (Object.hasOwn(valued, word) && next !== undefined) {
      if (valued[word]) found.push([valued[word] ?? '', next]);
      at++;
    } else {
      break;
    }
  }
  return { properties: Object.fromEntries(found), rest: words.slice(at) };
}

function property(text: string): [string, string] {
  const at = text.indexOf('=');
  return at < 0 ? [text, 'true'] : [text.slice(0, at), text.slice(at + 1)];
}

/** The words of a shell command line, with quotes taken off. */
function splitScript(script: string): readonly string[] {
  const words = script.match(/(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/g) ?? [];
  return words
    .map((word) =>
      word.replace(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/g, (_, a, b, c) => a ?? b?.replace(/\\(.)/g, '$1') ?? c),
    )
    .filter((word) => word !== '&&' && word !== 'exec');
}

/** The Flink release that runs: from the configuration's `v1_20`, else the image's tag, else the newest known. */
export function flinkVersion(configured: string | undefined, image: string): string {
  const tag = /^v?(\d+)\.(\d+)(?:\.(\d+))?/.exec(imageTag(image));
  const named = /^v(\d+)_(\d+)$/.exec(configured ?? '');
  if (named && (!tag || tag[1] !== named[1] || tag[2] !== named[2])) return `${named[1]}.${named[2]}.0`;
  if (tag) return `${tag[1]}.${tag[2]}.${tag[3] ?? 0}`;
  return '2.3.0';
}
