import { megabytes } from './byte-size.ts';

/** One difference between what is and what a manifest wants, with a JSON pointer into the manifest. */
export interface Difference {
  readonly op: 'add' | 'replace';
  readonly path: string;
  readonly value: unknown;
  readonly was?: unknown;
}

type Written = Readonly<Record<string, unknown>>;

/** Written on the app itself, they are meant for its web process. */
const ofWeb = new Set([
  'command',
  'instances',
  'memory',
  'disk_quota',
  'disk-quota',
  'health-check-type',
  'health-check-http-endpoint',
  'health-check-invocation-timeout',
  'timeout',
]);
const sizes = new Set(['memory', 'disk_quota', 'disk-quota']);
/** They ask for something to be done; there is nothing that they could differ from. */
const requests = new Set(['default-route', 'random-route', 'no-route', 'path', 'services', 'sidecars']);

/**
 * How apps would change. A manifest takes nothing away that it does not speak of, so there is no `remove`. `present` gives an
 * app as a manifest would have it (`exportedApp`), or nothing when it is yet to be made.
 */
export function manifestDiff(
  applications: readonly Written[],
  present: (name: string) => Written | undefined,
): readonly Difference[] {
  return applications.flatMap((wanted, index) => {
    const at = `/applications/${index}`;
    const now = present(String(wanted.name ?? ''));
    if (!now) return [{ op: 'add', path: at, value: wanted }] as const;
    return Object.entries(wanted).flatMap(([key, value]) => differences(now, key, value, at));
  });
}

function differences(now: Written, key: string, value: unknown, at: string): readonly Difference[] {
  const path = `${at}/${pointer(key)}`;
  if (requests.has(key)) return [];
  if (key === 'processes') return listed(now.processes, value, 'type', path, processDifferences);
  if (key === 'routes') return listed(now.routes, value, 'route', path, () => []);
  if (ofWeb.has(key)) return differing(key, member(now.processes, 'type', 'web')?.[alias(key)], value, path);
  return differing(key, now[key], value, path);
}

function processDifferences(now: Written, wanted: Written, at: string): readonly Difference[] {
  return Object.entries(wanted).flatMap(([key, value]) =>
    differing(key, now[alias(key)], value, `${at}/${pointer(key)}`),
  );
}

/** Members of a list are known by one of their fields, not by their place. */
function listed(
  now: unknown,
  wanted: unknown,
  by: string,
  at: string,
  inside: (now: Written, wanted: Written, at: string) => readonly Difference[],
): readonly Difference[] {
  if (!Array.isArray(wanted)) return [];
  return wanted.flatMap((entry: unknown, index): readonly Difference[] => {
    if (!isMap(entry)) return [];
    const same = member(now, by, entry[by]);
    const path = `${at}/${index}`;
    return same ? inside(same, entry, path) : [{ op: 'add', path, value: entry }];
  });
}

function differing(key: string, now: unknown, wanted: unknown, path: string): readonly Difference[] {
  if (isMap(wanted) && isMap(now)) {
    return Object.entries(wanted).flatMap(([inner, value]) =>
      differing(inner, Object.hasOwn(now, inner) ? now[inner] : undefined, value, `${path}/${pointer(inner)}`),
    );
  }
  if (now === undefined || now === null) return wanted === null ? [] : [{ op: 'add', path, value: wanted }];
  return same(key, now, wanted) ? [] : [{ op: 'replace', path, value: wanted, was: now }];
}

function same(key: string, now: unknown, wanted: unknown): boolean {
  if (sizes.has(key)) return megabytes(String(now)) === megabytes(String(wanted));
  const isPlain = ['string', 'number', 'boolean'].includes(typeof wanted);
  return isPlain ? String(now) === String(wanted) : JSON.stringify(now) === JSON.stringify(wanted);
}

function member(list: unknown, by: string, value: unknown): Written | undefined {
  return Array.isArray(list) ? list.find((entry): entry is Written => isMap(entry) && entry[by] === value) : undefined;
}

function alias(key: string): string {
  return key === 'disk-quota' ? 'disk_quota' : key;
}

function isMap(value: unknown): value is Written {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function pointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
