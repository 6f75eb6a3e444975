import { type Change, strongest } from '../../change/change.ts';
import { diff } from '../../change/diff.ts';
import { isObject, type Members, member } from '../../change/equal.ts';
import { flatten } from '../../change/flatten.ts';
import { under } from '../../change/path.ts';
import { type Hide, hidden, redact } from '../../change/redact.ts';
import type { Demand } from '../../schema/demand.ts';
import type { Field } from '../../schema/field.ts';
import type { Kind } from '../../schema/kind.ts';
import { type DeploymentMode, type FlinkDeploymentSpec, flinkDeployment } from './flink-deployment.ts';
import { type FlinkSessionJobSpec, flinkSessionJob } from './flink-session-job.ts';
import {
  flinkDeploymentSpelling,
  flinkSessionJobSpelling,
  type Spelled,
  type Spelling,
  spell,
  textOf,
} from './java-spelling.ts';
import { type Listed, listChanges } from './list-changes.ts';
import type { Nonces } from './progress.ts';
import { sortedJson } from './sorted-json.ts';

/** The upstream's names for what a change demands. */
export type DiffType = 'IGNORE' | 'SCALE' | 'UPGRADE' | 'SAVEPOINT_REDEPLOY' | 'STATELESS_REDEPLOY';

const diffTypes: Readonly<Record<Demand, DiffType>> = {
  nothing: 'IGNORE',
  patch: 'IGNORE',
  scale: 'SCALE',
  restart: 'UPGRADE',
  upgrade: 'UPGRADE',
  'redeploy-from-savepoint': 'SAVEPOINT_REDEPLOY',
  'redeploy-without-state': 'STATELESS_REDEPLOY',
};

/** What differs between the spec that is deployed and the one that is wanted. */
export interface SpecChange {
  /** The strongest of what the changes demand. */
  readonly demands: Demand;
  readonly type: DiffType;
  /** One by one, those that demand nothing included. */
  readonly changes: readonly Change[];
  /**
   * All of them in one line, as the upstream words it: `FlinkDeploymentSpec[job.parallelism : 2 -> 5]`. Empty when nothing
   * changed. Values of secret configuration keys and of variables are not in it.
   */
  readonly text: string;
}

/** What a comparison must know beside the two specs. */
export interface Circumstances {
  /** Who makes the TaskManagers; by default what the desired spec of a deployment says. */
  readonly mode?: DeploymentMode;
  /** The last values acted upon. Where there is one, it takes the place of what the recorded spec says. */
  readonly nonces?: Nonces;
}

export function deploymentChange(
  recorded: FlinkDeploymentSpec,
  desired: FlinkDeploymentSpec,
  { mode = desired.mode ?? 'native', nonces = {} }: Circumstances = {},
): SpecChange {
  return specChange(flinkDeployment, flinkDeploymentSpelling, actedUpon(recorded, nonces), desired, mode);
}

/** `mode` is that of the session cluster. */
export function sessionJobChange(
  recorded: FlinkSessionJobSpec,
  desired: FlinkSessionJobSpec,
  { mode = 'native', nonces = {} }: Circumstances = {},
): SpecChange {
  return specChange(flinkSessionJob, flinkSessionJobSpelling, actedUpon(recorded, nonces), desired, mode);
}

/** The recorded spec forgets a nonce that was removed from the spec; what was acted upon does not. */
function actedUpon<Spec extends FlinkDeploymentSpec | FlinkSessionJobSpec>(recorded: Spec, nonces: Nonces): Spec {
  const { restart, savepointRedeploy, statelessRedeploy, savepointTrigger, checkpointTrigger, autoscalerReset } =
    nonces;
  const job = {
    ...recorded.job,
    ...(savepointTrigger !== undefined && { savepointTriggerNonce: savepointTrigger }),
    ...(checkpointTrigger !== undefined && { checkpointTriggerNonce: checkpointTrigger }),
    ...(savepointRedeploy !== undefined && { savepointRedeployNonce: savepointRedeploy }),
    ...(statelessRedeploy !== undefined && { statelessRedeployNonce: statelessRedeploy }),
    ...(autoscalerReset !== undefined && { autoscalerResetNonce: autoscalerReset }),
  };
  return {
    ...recorded,
    ...(restart !== undefined && { restartNonce: restart }),
    ...(recorded.job && { job }),
  };
}

/** The message of the `SpecChanged` event. */
export function specChangedMessage({ type, text }: Pick<SpecChange, 'type' | 'text'>): string {
  return `${type} change(s) detected (Diff: ${text}), starting reconciliation.`;
}

/**
 * The comparison is `diff`'s; how it is told is the upstream's: field by field of the spec, of the job and of the
 * TaskManagers, key by key of the configuration, and below that wherever the two values part.
 */
function specChange(kind: Kind, as: Spelling, recorded: object, desired: object, mode: DeploymentMode): SpecChange {
  const changes = diff(kind.spec.field, recorded, desired, { mode });
  const demands = strongest(changes);
  const hide = marked();
  const spelled = (spec: object): Spelled => spell(redact(spec, kind.spec.field, hide), as);
  const [left, right] = [spelled(recorded), spelled(desired)];
  const lines = unitsOf(kind.spec.field, left, right).flatMap((path) => {
    if (path[0] === 'flinkConfiguration') return configurationLines(changes, recorded, desired);
    if (!changes.some((change) => isBelow(change.path, path.reduce(under, 'spec')))) return [];
    return listChanges(path.join('.'), at(left, path), at(right, path)).map(line);
  });
  const text = lines.length > 0 ? `${kind.type.kind}Spec[${lines.join(', ').replaceAll(mark, hidden)}]` : '';
  return { demands, type: diffTypes[demands], changes, text };
}

/** A secret while specs are compared. */
const mark = /\(secret \d+\)/g;

/** Marks by which secrets differ as their values do, without saying anything of these. */
function marked(): Hide {
  const numbers = new Map<string, number>();
  return (secret) => {
    const text = sortedJson(secret);
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return `(secret ${number})`;
  };
}

/** Parts of a spec whose own fields are told one by one when both specs have them. */
const nested = new Set(['job', 'taskManager']);

/** The paths that are told one by one, in the order of the schema. */
function unitsOf({ properties = {} }: Field, left: Spelled, right: Spelled): string[][] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const both = [left, right].every((spelled) => at(spelled, [name]) instanceof Map);
    return nested.has(name) && both ? Object.keys(field.properties ?? {}).map((inner) => [name, inner]) : [[name]];
  });
}

function at(spelled: Spelled, path: readonly string[]): Spelled {
  return path.reduce<Spelled>((outer, name) => (outer instanceof Map && outer.get(name)) || 'null', spelled);
}

function isBelow(path: string, place: string): boolean {
  return path.startsWith(place) && [undefined, '.', '['].includes(path[place.length]);
}

/** Told from the changes themselves: they know which values are secret. */
function configurationLines(changes: readonly Change[], recorded: object, desired: object): string[] {
  const keys = [recorded, desired].flatMap((spec) => {
    const configuration = member(spec as Members, 'flinkConfiguration');
    return isObject(configuration) ? [...flatten(configuration).keys()] : [];
  });
  return [...new Set(keys)].sort().flatMap((key) => {
    const place = under('spec.flinkConfiguration', key);
    const found = changes.filter((change) => isBelow(change.path, place));
    return found.map(({ path, from, to }) =>
      line({ path: `flinkConfiguration.${key}${path.slice(place.length)}`, from: spell(from), to: spell(to) }),
    );
  });
}

/** What is gone is told in short, everything else in full. */
function line({ path, from, to }: Listed): string {
  const gone = to === 'null' && (typeof from !== 'string' || from === '""');
  return `${path} : ${gone ? '{..}' : told(from)} -> ${told(to)}`;
}

/** Text without its quotes, unless nothing would be left. */
function told(value: Spelled): string {
  const text = textOf(value);
  return text.startsWith('"') && text !== '""' ? String(JSON.parse(text)) : text;
}
