import type { KubeObject } from '../../kube/object.ts';
import { annotations } from '../keys.ts';
import { changedFields, type FieldPath, showField } from './changed-fields.ts';
import { GRAPH_LIMITS } from './graph.ts';
import { objectId } from './ids.ts';
import { own } from './own.ts';
import type { PlanObject } from './plan-objects.ts';
import type { Reference } from './references.ts';

const contents = new Set(['data', 'binaryData', 'stringData']);

/** What counts of a ConfigMap or Secret: all but annotations, or what is under these keys. Nothing if it asks for that. */
export function contentChanges(
  before: KubeObject | undefined,
  after: KubeObject,
  keys: ReadonlySet<string> | undefined,
): readonly FieldPath[] {
  if (own(after.metadata.annotations, annotations.skipHash) !== undefined) return [];
  if (before === undefined) return [[]];
  return changedFields(before, after, GRAPH_LIMITS).fields.filter(([first = '', second]) => {
    if (keys) return contents.has(first) && (second === undefined || keys.has(second));
    return first !== 'metadata' || second !== 'annotations';
  });
}

export interface Used {
  readonly dependency: PlanObject;
  /** Absent: all of it counts, as in the hash of `render/hash`, which takes a volume as a whole. */
  readonly keys: ReadonlySet<string> | undefined;
}

/** The ConfigMaps and Secrets among what a workload refers to that the plan applies as well. */
export function usedBy(references: readonly Reference[], objects: ReadonlyMap<string, PlanObject>): readonly Used[] {
  const counted = references.filter(({ kind }) => kind === 'ConfigMap' || kind === 'Secret');
  const byId = Map.groupBy(counted, ({ kind, name }) => objectId({ apiVersion: 'v1', kind, metadata: { name } }));
  return [...byId].flatMap(([id, same]) => {
    const dependency = objects.get(id);
    if (dependency === undefined) return [];
    const whole = same.some(({ by, keys }) => keys === undefined || by === 'volume');
    return [{ dependency, keys: whole ? undefined : new Set(same.flatMap(({ keys }) => keys ?? [])) }];
  });
}

/** Keys of a ConfigMap or Secret by themselves: they are files or variables, and people know them by name. */
export function namesOf(kind: string, fields: readonly FieldPath[]): readonly string[] {
  const keyed = kind === 'ConfigMap' || kind === 'Secret';
  const names = fields.map((field) => {
    const [first = '', key] = field;
    return keyed && contents.has(first) && key !== undefined ? shown(key) : showField(field);
  });
  return [...new Set(names)];
}

const shown = (key: string): string => (key.length > 80 ? `${key.slice(0, 79)}…` : key);
