import { isAbsent, isObject, type Members, member } from '../../../change/equal.ts';
import { flatten } from '../../../change/flatten.ts';
import type { JsonPatchOperation, PatchAction } from '../../../control/decision.ts';
import type { Json } from '../../../kube/object.ts';
import type { SideSeen } from '../../blue-green-view.ts';
import { childMetadata } from '../../manifests/blue-green-child.ts';
import type { Color } from '../../resources/blue-green-transition.ts';
import type { FlinkBlueGreenDeploymentSpec } from '../../resources/flink-blue-green-deployment.ts';
import type { FlinkDeploymentSpec } from '../../resources/flink-deployment.ts';
import { flinkDeploymentSpelling, type Spelling, spell, textOf } from '../../resources/java-spelling.ts';

/**
 * The spec of a side with exactly that changed in which two specs of it differ, so that what somebody changed on the side
 * by hand stays. What would make it start from other state is never touched: that is for a side that is to do so.
 */
export function patchedSpec(
  live: FlinkDeploymentSpec,
  before: FlinkDeploymentSpec,
  desired: FlinkDeploymentSpec,
): FlinkDeploymentSpec {
  return merged(live, startedLike(before, desired), desired, flinkDeploymentSpelling) as FlinkDeploymentSpec;
}

/** A whole new spec for a side. It keeps what the side was started by, unless it is to start from what the new one says. */
export function replacedSpec(
  live: FlinkDeploymentSpec,
  desired: FlinkDeploymentSpec,
  { takePath }: { readonly takePath: boolean },
): FlinkDeploymentSpec {
  return takePath ? desired : startedLike(desired, live);
}

/**
 * A spec with the path and the redeploy nonces of another. A nonce that another side has acted upon must not act once more on
 * this one, which would lose its state.
 */
export function startedLike(spec: FlinkDeploymentSpec, other: FlinkDeploymentSpec): FlinkDeploymentSpec {
  if (!spec.job) return spec;
  const { initialSavepointPath: _, savepointRedeployNonce: __, statelessRedeployNonce: ___, ...job } = spec.job;
  const {
    initialSavepointPath: path,
    savepointRedeployNonce: savepoint,
    statelessRedeployNonce: stateless,
  } = other.job ?? {};
  return {
    ...spec,
    job: {
      ...job,
      ...(!isAbsent(path) && { initialSavepointPath: path }),
      ...(!isAbsent(savepoint) && { savepointRedeployNonce: savepoint }),
      ...(!isAbsent(stateless) && { statelessRedeployNonce: stateless }),
    },
  };
}

/** Gives a side this spec; `undefined` when it has it. What is spelled out and means the same is the same. */
export function specPatch(side: SideSeen, spec: FlinkDeploymentSpec): PatchAction | undefined {
  if (same(side.spec, spec, flinkDeploymentSpelling)) return undefined;
  return { do: 'patch', of: side.ref, patch: [{ op: 'replace', path: '/spec', value: spec as unknown as Json }] };
}

/** Gives a side the labels and annotations that the template asks for; others on it stay. `undefined` when it has them. */
export function metadataPatch(
  side: SideSeen,
  spec: FlinkBlueGreenDeploymentSpec,
  color: Color,
): PatchAction | undefined {
  const wanted = childMetadata(spec, color);
  const patch = [
    ...added('/metadata/labels', side.labels, wanted.labels),
    ...added('/metadata/annotations', side.annotations, wanted.annotations),
  ];
  return patch.length === 0 ? undefined : { do: 'patch', of: side.ref, patch };
}

type Words = Readonly<Record<string, string>>;

function added(path: string, present: Words, wanted: Words): JsonPatchOperation[] {
  const missing = Object.entries(wanted).filter(([key, value]) => member(present, key) !== value);
  if (missing.length === 0) return [];
  // A map without members may not be there at all, and nothing can be added to what is not there.
  if (Object.keys(present).length === 0) return [{ op: 'add', path, value: Object.fromEntries(missing) }];
  return missing.map(([key, value]) => ({ op: 'add', path: `${path}/${pointer(key)}`, value }));
}

function pointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Deeper than any spec; what lies below changes as a whole. */
const deepest = 100;

/** `live` with all that differs between `before` and `desired`; parts that all three have are gone through one by one. */
function merged(live: unknown, before: unknown, desired: unknown, as: Spelling, depth = 0): unknown {
  if (same(before, desired, as)) return live;
  const parts = [live, before, desired];
  if (!parts.every(isObject) || depth > deepest) return desired;
  const [now, from, to] = parts as [Members, Members, Members];
  const names = new Set([now, from, to].flatMap((part) => Object.keys(part)));
  const members = [...names].flatMap((name) => {
    const [a, b, c] = [member(now, name), member(from, name), member(to, name)];
    const value =
      name === 'flinkConfiguration' && depth === 0 ? configured(a, b, c) : merged(a, b, c, inner(as, name), depth + 1);
    return isAbsent(value) ? [] : [[name, value] as const];
  });
  return Object.fromEntries(members);
}

function inner(as: Spelling, name: string): Spelling {
  return (typeof as === 'object' && Object.hasOwn(as, name) && as[name]?.as) || 'free';
}

function same(left: unknown, right: unknown, as: Spelling): boolean {
  return textOf(spell(left, as)) === textOf(spell(right, as));
}

/**
 * Key by key, however each is written: flat or nested. What changed is written flat, because a flat key is read before a
 * nested one.
 */
function configured(live: unknown, before: unknown, desired: unknown): unknown {
  const [now, from, to] = [live, before, desired].map((one) => flatten(isObject(one) ? one : {}));
  if (!now || !from || !to) return live;
  const changed = [...new Set([...from.keys(), ...to.keys()])].filter((key) => {
    return !same(from.get(key), to.get(key), 'free') && !same(now.get(key), to.get(key), 'free');
  });
  if (changed.length === 0) return live;
  const kept = without(isObject(live) ? live : {}, new Set(changed));
  const written = isObject(desired) ? desired : {};
  const added = changed.filter((key) => to.has(key)).map((key) => [key, member(written, key) ?? to.get(key)] as const);
  return { ...kept, ...Object.fromEntries(added) };
}

/** A configuration without some keys, however they are written. */
function without(configuration: Members, keys: ReadonlySet<string>, prefix = '', depth = 0): Members {
  const kept = Object.keys(configuration).flatMap((name) => {
    const value = member(configuration, name);
    if (keys.has(prefix + name) && !isObject(value)) return [];
    if (!isObject(value) || depth > deepest) return [[name, value] as const];
    const rest = without(value, keys, `${prefix}${name}.`, depth + 1);
    const emptied = Object.keys(rest).length < Object.keys(value).length && Object.keys(rest).length === 0;
    return emptied ? [] : [[name, rest] as const];
  });
  return Object.fromEntries(kept);
}
