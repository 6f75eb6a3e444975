import * as z from 'zod';
import { mostInstancesShown } from '../../resources/instances-status.ts';
import { megabytes, unreadableSize } from '../manifest/byte-size.ts';
import { readYaml } from '../manifest/read-yaml.ts';
import { isRouteText, notARoute } from '../manifest/route-text.ts';

/** What a manifest says about one process. What it does not say stays as it is. */
export interface ManifestProcess {
  readonly type: string;
  readonly command?: string;
  readonly instances?: number;
  readonly memoryMB?: number;
  readonly diskQuotaMB?: number;
  readonly healthCheck?: {
    readonly type?: 'http' | 'port' | 'process';
    readonly endpoint?: string;
    readonly invocationTimeout?: number;
    readonly timeout?: number;
  };
}

/** Which routes an app should have: a list, one of its own if it has none, or none at all. */
export type ManifestRoutes =
  | { readonly kind: 'these'; readonly routes: readonly string[] }
  | { readonly kind: 'default' | 'random' | 'none' };

/** What a manifest says about one app. */
export interface ManifestApp {
  readonly name: string;
  readonly docker?: { readonly image: string; readonly username?: string };
  readonly buildpacks?: readonly string[];
  readonly stack?: string;
  /** `null` takes a variable away. */
  readonly env?: Readonly<Record<string, string | null>>;
  /** Absent: the routes stay as they are. */
  readonly routes?: ManifestRoutes;
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string | null>>;
    readonly annotations?: Readonly<Record<string, string | null>>;
  };
  readonly processes: readonly ManifestProcess[];
}

export interface Manifest {
  readonly applications: readonly ManifestApp[];
  /** The apps as they were written, for comparisons. */
  readonly written: readonly Readonly<Record<string, unknown>>[];
  /** What it says that has no effect here, one sentence each. */
  readonly warnings: readonly string[];
}

/** The text is not YAML of the right shape, or says what cannot be; `complaints` are whole sentences. */
export class ManifestError extends Error {
  override readonly name = 'ManifestError';
  readonly complaints: readonly string[];
  /** It could not even be read. */
  readonly unreadable: boolean;

  constructor(complaints: readonly string[], unreadable = false) {
    const [more, few] = [complaints.length - most.complaints, complaints.slice(0, most.complaints)];
    const said = more > 0 ? [...few, `and ${more} more`] : few;
    super(said.join('; '));
    this.complaints = said;
    this.unreadable = unreadable;
  }
}

const size = z.union([z.string(), z.number()]).transform((value, context) => {
  const found = megabytes(String(value));
  if (found !== undefined && found > 0 && found < 2 ** 31) return found;
  const why = found === undefined ? unreadableSize : found === 0 ? 'must be greater than 0MB' : 'is too large';
  context.addIssue({ code: 'custom', message: why });
  return z.NEVER;
});

/** How much one manifest may speak of: each entry is a request to Kubernetes or more, and a sentence in an answer. */
const most = { apps: 100, routes: 100, processes: 50, services: 100, complaints: 20 };
const atMost = (count: number): string => `must not be more than ${count}`;

const words = z.string('must be a string');
const filled = z.string('cannot be blank').trim().min(1, 'cannot be blank');
const whole = (least: number) =>
  z
    .int(`must be a whole number that is ${least} or greater`)
    .min(least, `must be ${least} or greater`)
    .max(2 ** 31 - 1, 'is too large');
const texts = z.record(z.string(), z.union([words, z.null()], 'must be a string or null'), 'must be a map');

/** Settings of a process: those of the app itself are meant for `web`. */
const settings = {
  command: z.union([words, z.null()]).optional(),
  instances: whole(0).max(mostInstancesShown, `must be ${mostInstancesShown} or less`).optional(),
  memory: size.optional(),
  disk_quota: size.optional(),
  'disk-quota': size.optional(),
  'health-check-type': z
    .enum(['http', 'port', 'process', 'none'], 'value must be one of: none, process, port, http')
    .optional(),
  'health-check-http-endpoint': words.startsWith('/', 'must begin with a slash').optional(),
  'health-check-invocation-timeout': whole(1).optional(),
  timeout: whole(1).optional(),
};

/** Published, and understood by nobody here: said in a warning, or refused where leaving it out would break the app. */
const withoutEffect = [
  'log-rate-limit-per-second',
  'health-check-interval',
  'readiness-health-check-type',
  'readiness-health-check-http-endpoint',
  'readiness-health-check-invocation-timeout',
  'readiness-health-check-interval',
];

/** The type stands in a label of the process, so it must be one that a label can hold. */
const type = filled.regex(
  /^[a-z0-9]([-\w.]{0,61}[a-z0-9])?$/i,
  "must be letters, digits, '-', '_' and '.', begin and end with a letter or digit, and have at most 63 of them",
);
const process = z.looseObject({ ...settings, type }, 'must be a map');

const route = z.looseObject({ route: filled.refine(isRouteText, notARoute) }, 'must be a map with the key "route"');

const app = z.looseObject(
  {
    ...settings,
    name: filled.regex(/^[-\w]+$/, 'must consist only of letters, numbers, underscores and dashes').max(255),
    path: words.optional(),
    docker: z.looseObject({ image: filled, username: words.optional() }, 'must be a map').optional(),
    lifecycle: z.enum(['buildpack', 'docker'], 'value must be one of: buildpack, docker').optional(),
    buildpack: z.union([words, z.null()]).optional(),
    buildpacks: z.array(filled, 'must be a list').optional(),
    stack: words.optional(),
    env: z
      .record(
        z.string().min(1, 'must have a name'),
        z.union([z.string(), z.number(), z.boolean(), z.null()], 'must be a string, a number or a boolean'),
        'must be a map',
      )
      .optional(),
    routes: z.array(route, 'must be a list').max(most.routes, atMost(most.routes)).optional(),
    'no-route': z.boolean('must be a boolean').optional(),
    'default-route': z.boolean('must be a boolean').optional(),
    'random-route': z.boolean('must be a boolean').optional(),
    metadata: z.looseObject({ labels: texts.optional(), annotations: texts.optional() }, 'must be a map').optional(),
    processes: z.array(process, 'must be a list').max(most.processes, atMost(most.processes)).optional(),
    services: z.array(z.unknown(), 'must be a list').max(most.services, atMost(most.services)).optional(),
    sidecars: z.array(z.unknown(), 'must be a list').optional(),
  },
  'must be a map',
);

const manifest = z.looseObject({
  version: z.unknown().optional(),
  applications: z.array(app, 'cannot be blank').min(1, 'cannot be blank').max(most.apps, atMost(most.apps)),
});

type WrittenApp = z.infer<typeof app>;
type Settings = z.infer<z.ZodObject<typeof settings>>;

/**
 * A manifest from its YAML. Keys that are not known have no effect and give a warning. Errors: `ManifestError` with a
 * sentence for all that is wrong; nothing of it may then be applied.
 */
export function parseManifest(yaml: string): Manifest {
  const raw = readMap(yaml);
  const { success, data, error } = checked(raw);
  if (!success) throw new ManifestError(error.issues.map(complaint));
  // From the end, so that the first app of a name is the one that is kept.
  const named = new Map(data.applications.map(({ name }, index) => [name.toLowerCase(), index] as const).reverse());
  const complaints = data.applications.flatMap((written, index) => contradictions(written, index, named));
  if (complaints.length > 0) throw new ManifestError(complaints);
  return {
    applications: data.applications.map(understood),
    written: (raw as { readonly applications: Manifest['written'] }).applications,
    warnings: data.applications.flatMap((written, index) => unheeded(written, `applications[${index}]`)),
  };
}

/** Zod measures whatever has a `length`, and throws where that is an object that is no number. */
function checked(raw: unknown): ReturnType<typeof manifest.safeParse> {
  try {
    return manifest.safeParse(raw);
  } catch {
    throw new ManifestError(['invalid request body'], true);
  }
}

function readMap(yaml: string): unknown {
  let value: unknown;
  try {
    value = readYaml(yaml);
  } catch (error) {
    if (error instanceof RangeError) throw new ManifestError(['The manifest is too large: apply its apps one by one.']);
    throw new ManifestError(['invalid request body'], true);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ManifestError(['invalid request body'], true);
  }
  return value;
}

/** `applications[0].memory must use …` */
function complaint({ path, message }: { readonly path: readonly PropertyKey[]; readonly message: string }): string {
  const where = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
  return `${where.replace(/^\./, '')} ${message}`;
}

/** What is wrong although each part is right. */
function contradictions(written: WrittenApp, index: number, all: ReadonlyMap<string, number>): readonly string[] {
  const where = `applications[${index}]`;
  const found: string[] = [];
  const same = all.get(written.name.toLowerCase()) ?? index;
  if (same < index) found.push(`${where}.name is already that of applications[${same}]`);
  if (written['default-route'] && written['random-route']) {
    found.push(`${where}.default-route and random-route may not be used together`);
  }
  if (written.docker && (written.buildpack || written.buildpacks)) {
    found.push(`${where}.docker and buildpacks may not be used together`);
  }
  if (written.docker && written.lifecycle === 'buildpack') {
    found.push(`${where}.docker cannot be used with the lifecycle "buildpack"`);
  }
  if (written['disk-quota'] !== undefined && written.disk_quota !== undefined) {
    found.push(`${where}.disk_quota and disk-quota may not be used together`);
  }
  if (written.sidecars?.length) found.push(`${where}.sidecars are not supported: run them as processes of their own`);
  const types = new Set<string>();
  for (const { type } of written.processes ?? []) {
    if (types.has(type)) found.push(`${where}.processes has the type "${type}" more than once`);
    types.add(type);
  }
  for (const service of written.services ?? []) {
    found.push(`For application '${written.name}': Service instance '${serviceName(service)}' not found`);
  }
  return found;
}

function serviceName(service: unknown): string {
  if (typeof service === 'string') return service;
  const { name } = (service ?? {}) as { readonly name?: unknown };
  return typeof name === 'string' ? name : '';
}

function understood(written: WrittenApp): ManifestApp {
  const { docker, buildpack, buildpacks, stack, env, metadata } = written;
  const packs = buildpacks ?? (buildpack ? [buildpack] : undefined);
  const routes = wantedRoutes(written);
  return {
    name: written.name,
    ...(docker && { docker: { image: docker.image, ...(docker.username && { username: docker.username }) } }),
    ...(packs && { buildpacks: packs }),
    ...(stack && { stack }),
    ...(env && { env: mapped(env, (value) => (value === null ? null : String(value))) }),
    ...(routes && { routes }),
    ...(metadata && {
      metadata: {
        ...(metadata.labels && { labels: metadata.labels }),
        ...(metadata.annotations && { annotations: metadata.annotations }),
      },
    }),
    processes: processesOf(written),
  };
}

/** `no-route` beats all, a list beats the routes that are made up. */
function wantedRoutes(written: WrittenApp): ManifestRoutes | undefined {
  if (written['no-route']) return { kind: 'none' };
  if (written.routes?.length) return { kind: 'these', routes: written.routes.map((entry) => entry.route) };
  if (written['random-route']) return { kind: 'random' };
  return written['default-route'] ? { kind: 'default' } : undefined;
}

/** What stands on the app itself is for `web`, where `web` does not say it itself. */
function processesOf(written: WrittenApp): readonly ManifestProcess[] {
  const listed = written.processes ?? [];
  const own = processOf('web', written);
  if (Object.keys(own).length === 1) return listed.map((entry) => processOf(entry.type, entry));
  const web = listed.find(({ type }) => type === 'web');
  const others = listed.filter((entry) => entry !== web).map((entry) => processOf(entry.type, entry));
  if (!web) return [own, ...others];
  const said = processOf('web', web);
  const healthCheck = { ...own.healthCheck, ...said.healthCheck };
  return [{ ...own, ...said, ...(Object.keys(healthCheck).length > 0 && { healthCheck }) }, ...others];
}

function processOf(type: string, said: Settings): ManifestProcess {
  const disk = said.disk_quota ?? said['disk-quota'];
  const check = said['health-check-type'];
  const healthCheck = {
    ...(check !== undefined && { type: check === 'none' ? ('process' as const) : check }),
    ...(said['health-check-http-endpoint'] !== undefined && { endpoint: said['health-check-http-endpoint'] }),
    ...(said['health-check-invocation-timeout'] !== undefined && {
      invocationTimeout: said['health-check-invocation-timeout'],
    }),
    ...(said.timeout !== undefined && { timeout: said.timeout }),
  };
  return {
    type,
    ...(said.command !== undefined && { command: commandOf(said.command) }),
    ...(said.instances !== undefined && { instances: said.instances }),
    ...(said.memory !== undefined && { memoryMB: said.memory }),
    ...(disk !== undefined && { diskQuotaMB: disk }),
    ...(Object.keys(healthCheck).length > 0 && { healthCheck }),
  };
}

/** `null` and `default` mean: what staging found. */
function commandOf(command: string | null): string {
  return command === null || command === 'default' || command === 'null' ? '' : command;
}

const known = new Set([...Object.keys(app.shape), ...Object.keys(process.shape)]);

function unheeded(written: WrittenApp, where: string): readonly string[] {
  const of = (said: object, place: string): readonly string[] =>
    Object.keys(said)
      .filter((key) => !known.has(key) || withoutEffect.includes(key))
      .map((key) => `${place}.${key} has no effect`);
  return [
    ...of(written, where),
    ...(written.processes ?? []).flatMap((entry, index) => of(entry, `${where}.processes[${index}]`)),
  ];
}

function mapped<A, B>(record: Readonly<Record<string, A>>, change: (value: A) => B): Readonly<Record<string, B>> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
