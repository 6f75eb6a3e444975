import { parse } from 'yaml';
import type { Files } from '../program.ts';
import { flinkVersion } from './entry.ts';

const folder = '/opt/flink/conf';

/** Names that an option had in other releases; the first is the newest. */
const synonyms: readonly (readonly string[])[] = [
  ['execution.checkpointing.dir', 'state.checkpoints.dir'],
  ['execution.checkpointing.savepoint-dir', 'state.savepoints.dir'],
  ['execution.checkpointing.num-retained', 'state.checkpoints.num-retained'],
  ['execution.state-recovery.path', 'execution.savepoint.path'],
  ['execution.state-recovery.ignore-unclaimed-state', 'execution.savepoint.ignore-unclaimed-state'],
  ['execution.state-recovery.claim-mode', 'execution.savepoint-restore-mode'],
  ['high-availability.type', 'high-availability'],
  ['restart-strategy.type', 'restart-strategy'],
  ['rest.bind-port', 'rest.port'],
];

const units: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  milli: 1,
  millis: 1,
  s: 1000,
  sec: 1000,
  secs: 1000,
  second: 1000,
  seconds: 1000,
  m: 60_000,
  min: 60_000,
  minute: 60_000,
  minutes: 60_000,
  h: 3_600_000,
  hour: 3_600_000,
  hours: 3_600_000,
  d: 86_400_000,
  day: 86_400_000,
  days: 86_400_000,
};

/** A Flink configuration: flat keys, text values, and the readings of text that Flink has. */
export class Configuration {
  readonly #values: ReadonlyMap<string, string>;

  constructor(values: Iterable<readonly [string, string]>) {
    this.#values = new Map(values);
  }

  /** This configuration with others on top. */
  with(values: Readonly<Record<string, string>>): Configuration {
    return new Configuration([...this.#values, ...Object.entries(values)]);
  }

  entries(): readonly (readonly [string, string])[] {
    return [...this.#values];
  }

  /** Empty values count as unset. */
  text(key: string): string | undefined {
    const names = synonyms.find((group) => group.includes(key)) ?? [key];
    for (const name of names) {
      const value = this.#values.get(name)?.trim();
      if (value) return value;
    }
    return undefined;
  }

  integer(key: string, otherwise: number): number {
    const value = Number(this.text(key));
    return this.text(key) !== undefined && Number.isFinite(value) ? Math.trunc(value) : otherwise;
  }

  number(key: string, otherwise: number): number {
    const value = Number(this.text(key));
    return this.text(key) !== undefined && Number.isFinite(value) ? value : otherwise;
  }

  boolean(key: string, otherwise: boolean): boolean {
    const value = this.text(key)?.toLowerCase();
    return value === undefined ? otherwise : value === 'true';
  }

  /** In milliseconds. */
  duration(key: string, otherwise: number): number {
    return flinkDuration(this.text(key) ?? '') ?? otherwise;
  }

  /** A map option, written `a:1,b:2`. */
  map(key: string): Readonly<Record<string, string>> {
    const pairs = (this.text(key) ?? '').split(',').filter((part) => part.includes(':'));
    return Object.fromEntries(
      pairs.map((part) => [part.slice(0, part.indexOf(':')).trim(), part.slice(part.indexOf(':') + 1).trim()]),
    );
  }

  /** A list option, written `a;'b;c';d`; a quote inside quotes is doubled. */
  list(key: string): readonly string[] {
    const text = this.text(key);
    if (text === undefined) return [];
    return [...text.matchAll(/(?:^|;)(?:'((?:[^']|'')*)'|([^;]*))/g)].map(
      ([, quoted, plain = '']) => quoted?.replaceAll("''", "'") ?? plain,
    );
  }

  /** Bytes as mebibytes, as Flink's pods ask for them. */
  mebibytes(key: string, otherwise: number): number {
    const match = /^(\d+)\s*([a-z]*)$/i.exec(this.text(key) ?? '');
    if (!match) return otherwise;
    const unit = (match[2] ?? '').toLowerCase();
    const power = unit.startsWith('t')
      ? 4
      : unit.startsWith('g')
        ? 3
        : unit.startsWith('m')
          ? 2
          : unit.startsWith('k')
            ? 1
            : 0;
    return Math.floor((Number(match[1]) * 1024 ** power) / 1024 ** 2);
  }
}

/** `30 s`, `5min`, `1500` (milliseconds), `PT1M30S`; undefined when it is none of these. */
export function flinkDuration(text: string): number | undefined {
  const iso = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/i.exec(text);
  if (iso && text.length > 2) {
    const [, days = 0, hours = 0, minutes = 0, seconds = 0] = iso;
    return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60_000 + Number(seconds) * 1000;
  }
  const match = /^(\d+)\s*([a-zµ]*)$/i.exec(text.trim());
  if (!match) return undefined;
  const unit = (match[2] ?? '').toLowerCase();
  if (unit === '') return Number(match[1]);
  return Object.hasOwn(units, unit) ? Number(match[1]) * (units[unit] ?? 1) : undefined;
}

/**
 * The configuration that a container finds mounted: `config.yaml`, which releases before 1.19 do not know, or
 * `flink-conf.yaml`, which 2.0 and later do not know.
 *
 * @throws Error when there is none that the release reads, or the YAML cannot be read
 */
export function readConfiguration(files: Files, image: string): Configuration {
  const modern = files.read(`${folder}/config.yaml`);
  const legacy = files.read(`${folder}/flink-conf.yaml`);
  const read = (text: Uint8Array, entries: (text: string) => Iterable<readonly [string, string]>) => {
    const configuration = new Configuration(entries(Buffer.from(text).toString('utf8')));
    const version = flinkVersion(configuration.text('$internal.flink.version'), image);
    return { configuration, knowsLegacy: version.startsWith('1.'), knowsModern: !/^1\.(\d|1[0-8])\./.test(version) };
  };
  const first = modern && read(modern, (text) => flatten(parse(text) ?? {}));
  if (first?.knowsModern) return first.configuration;
  const second = legacy && read(legacy, legacyLines);
  if (second?.knowsLegacy) return second.configuration;
  const name = (second ?? first)?.knowsModern === false ? 'flink-conf.yaml' : 'config.yaml';
  throw new Error(`The Flink config file '${folder}/${name}' (${folder}/${name}) does not exist.`);
}

function* flatten(value: unknown, path = '', depth = 0): Iterable<readonly [string, string]> {
  if (Array.isArray(value)) {
    yield [path, value.map((one) => (typeof one === 'object' ? JSON.stringify(one) : String(one))).join(';')];
  } else if (typeof value === 'object' && value !== null && depth < 50) {
    for (const [key, inner] of Object.entries(value)) yield* flatten(inner, path ? `${path}.${key}` : key, depth + 1);
  } else if (value !== null && value !== undefined) {
    yield [path, String(value)];
  }
}

/** One `key: value` per line; a `#` begins a comment. */
function* legacyLines(text: string): Iterable<readonly [string, string]> {
  for (const line of text.split('\n')) {
    const [content = ''] = line.split(/(?:^|\s)#/, 1);
    const at = content.indexOf(': ');
    if (at > 0) yield [content.slice(0, at).trim(), content.slice(at + 2).trim()];
  }
}
