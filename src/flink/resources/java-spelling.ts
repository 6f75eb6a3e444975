import { isAbsent, isObject, member } from '../../change/equal.ts';
import type { Json } from '../../kube/object.ts';
import { javaDouble } from './java-double.ts';
import { meaning, podTemplateMeaning } from './pod-template-meaning.ts';
import { sortedJson } from './sorted-json.ts';

/**
 * How the Java operator spells a value as JSON.
 * - members by name: an object of its own, whose known members are always there and come in this order
 * - `double`: a number that always has a fraction
 * - `pod template`, `resources`, `metadata`: what they mean, spelled as `free`
 * - `free`: whatever the user wrote, with sorted keys and without nulls
 */
export type Spelling =
  | 'free'
  | 'double'
  | 'pod template'
  | 'resources'
  | 'metadata'
  | { readonly [name: string]: Member };

interface Member {
  /** What stands for an absent value; without it the member is left out. */
  readonly absent?: Json;
  readonly as?: Spelling;
}

const unset: Member = { absent: null };

const podTemplate = { absent: null, as: 'pod template' } as const;

const job = {
  jarURI: unset,
  parallelism: { absent: 0 },
  entryClass: unset,
  args: { absent: [] },
  state: { absent: 'running' },
  savepointTriggerNonce: unset,
  initialSavepointPath: unset,
  checkpointTriggerNonce: unset,
  upgradeMode: { absent: 'stateless' },
  allowNonRestoredState: unset,
  savepointRedeployNonce: unset,
  // Not known to the Java operator, which skips it when it reads the spec back.
  statelessRedeployNonce: {},
  autoscalerResetNonce: unset,
} as const satisfies Spelling;

const resource = { cpu: { absent: null, as: 'double' }, memory: unset, ephemeralStorage: unset } as const;

const processes = (replicas: Json) =>
  ({
    resource: { absent: null, as: resource },
    // Newer than the version whose spelling this is, which skips it.
    resources: { as: 'resources' },
    replicas: { absent: replicas },
    podTemplate,
  }) as const satisfies Spelling;

const ingress = {
  template: unset,
  className: unset,
  annotations: unset,
  labels: unset,
  tls: unset,
} as const satisfies Spelling;

const common = {
  job: { absent: null, as: job },
  restartNonce: unset,
  flinkConfiguration: { absent: {} },
} as const satisfies Spelling;

/** The spec of a FlinkDeployment. */
export const flinkDeploymentSpelling = {
  ...common,
  image: unset,
  imagePullPolicy: unset,
  serviceAccount: unset,
  flinkVersion: unset,
  ingress: { absent: null, as: ingress },
  podTemplate,
  jobManager: { absent: null, as: processes(1) },
  taskManager: { absent: null, as: processes(null) },
  logConfiguration: unset,
  mode: unset,
} as const satisfies Spelling;

/** The spec of a FlinkSessionJob. */
export const flinkSessionJobSpelling = { ...common, deploymentName: unset } as const satisfies Spelling;

/** The spec of a FlinkBlueGreenDeployment. */
export const flinkBlueGreenDeploymentSpelling = {
  ingress: { absent: null, as: ingress },
  template: {
    absent: null,
    as: {
      metadata: { absent: null, as: 'metadata' },
      spec: { absent: null, as: flinkDeploymentSpelling },
    },
  },
  configuration: unset,
} as const satisfies Spelling;

/** A value as spelled: a leaf is its JSON text, so that `1` and `1.0` differ. */
export type Spelled = string | readonly Spelled[] | ReadonlyMap<string, Spelled>;

/** Deeper than any spec; what lies below is spelled as one leaf. */
const deepest = 100;

/**
 * Spells a value. Members that the spelling does not know follow those that it knows, in the order of their names. The
 * same value always gives the same spelling, whatever the order of its keys.
 */
export function spell(value: unknown, as: Spelling = 'free', depth = 0): Spelled {
  if (isAbsent(value)) return 'null';
  if (as === 'pod template') return spell(podTemplateMeaning(value), 'free', depth);
  if (as === 'resources' || as === 'metadata') return spell(meaning(value), 'free', depth);
  if (as === 'double' && typeof value === 'number') return javaDouble(value);
  if (depth > deepest) return sortedJson(value);
  if (Array.isArray(value)) return value.map((element) => spell(element, 'free', depth + 1));
  if (!isObject(value)) return sortedJson(value);
  const known = typeof as === 'object' ? as : {};
  const spelled = new Map<string, Spelled>();
  for (const [name, { absent, as: inner }] of Object.entries(known)) {
    const found = member(value, name);
    if (!isAbsent(found)) spelled.set(name, spell(found, inner, depth + 1));
    else if (absent !== undefined) spelled.set(name, spell(absent));
  }
  for (const name of Object.keys(value).sort()) {
    const found = member(value, name);
    if (!Object.hasOwn(known, name) && !isAbsent(found)) spelled.set(name, spell(found, 'free', depth + 1));
  }
  return spelled;
}

/** A spelled value as JSON text. */
export function textOf(spelled: Spelled): string {
  if (typeof spelled === 'string') return spelled;
  if (isList(spelled)) return `[${spelled.map(textOf).join(',')}]`;
  return `{${[...spelled].map(([name, value]) => `${JSON.stringify(name)}:${textOf(value)}`).join(',')}}`;
}

export function isList(spelled: Spelled): spelled is readonly Spelled[] {
  return Array.isArray(spelled);
}
