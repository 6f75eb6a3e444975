import type { AnyObject, KubeObject } from '../../kube/object.ts';
import { at, type Workload, workloadOf } from '../graph/workload.ts';
import { annotations, nestedAnnotations } from '../keys.ts';
import type { Complaint } from './complaint.ts';
import { type DependencyReader, dependenciesOf } from './hash/dependency.ts';
import { hashesOf } from './hash/hashes.ts';
import { labelled } from './labelled.ts';
import { appliedAnnotations, lastApplied } from './last-applied.ts';
import { nested } from './nested-annotations.ts';
import { controllerReference, otherController, ownersOf } from './owner.ts';
import type { Place, Restarting } from './place.ts';
import { type Fields, isFields, replacedAt } from './replaced-at.ts';
import { showChange, type TemplateChange, templateChange } from './template-change.ts';

export interface Enhanced {
  readonly object: KubeObject;
  /** Pods of the live workload will restart, and why. */
  readonly restart?: { readonly because: string };
  readonly complaint?: Complaint;
}

export interface Around {
  /** The object as it is now; absent: there is none. */
  readonly live?: AnyObject;
  readonly namespaced: boolean;
  /** ConfigMaps and Secrets; those of the same task as they will be, all others as they are. See `readingFirst`. */
  readonly dependencies: DependencyReader;
}

/**
 * A rendered object with all that makes it one of this Instance: what a plan applies. Where it stands in which plan is said
 * on the object itself and nowhere else, so that it restarts no pod; what may be said on a pod template is in `nested`.
 */
export function enhance(object: KubeObject, place: Place, restarting: Restarting, around: Around): Enhanced {
  const { live, namespaced } = around;
  const other = namespaced ? otherController(place, object, live) : undefined;
  if (other) return { object, complaint: ownedBy(other, object, place) };

  const placed = inPlace(labelled(object, place), place, namespaced);
  const workload = workloadOf(placed);
  const marked =
    workload === undefined || workload.path.length === 0
      ? { object: placed }
      : withPods(placed, workload, place, restarting, around);
  if ('complaint' in marked) return { object, complaint: marked.complaint };

  const told = annotated(marked.object, {
    [annotations.plan]: place.plan,
    [annotations.phase]: place.phase,
    [annotations.step]: place.step,
    [annotations.operatorVersion]: place.operatorVersion.spec.version ?? '',
    [annotations.planUid]: restarting.executionUid,
    ...(!namespaced && { [annotations.namespace]: place.instance.namespace }),
    ...(marked.baseline !== undefined && { [annotations.hashBaseline]: marked.baseline }),
  });
  return {
    object: annotated(told, appliedAnnotations(told)),
    ...(marked.because !== undefined && { restart: { because: marked.because } }),
  };
}

/** Annotations that only we may write: a template that was copied from a live object has old ones. */
const ownAnnotations = [
  annotations.lastApplied,
  annotations.contentHash,
  annotations.hashBaseline,
  annotations.namespace,
];

/** Fields that only the API server may write. */
const serverFields = [
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'managedFields',
  'selfLink',
];

function inPlace<T extends KubeObject>(object: T, place: Place, namespaced: boolean): T {
  const { namespace: _elsewhere, ...metadata } = without({ ...object.metadata }, serverFields);
  const found = isFields(metadata.annotations) ? without(metadata.annotations, ownAnnotations) : {};
  const owners = ownersOf(object).filter(({ uid }) => uid !== place.instance.uid);
  return {
    ...object,
    metadata: {
      ...metadata,
      annotations: found,
      ...(namespaced && {
        namespace: place.instance.namespace,
        ownerReferences: [...owners, controllerReference(place)],
      }),
    },
  };
}

type Marked =
  | { readonly object: KubeObject; readonly baseline?: string; readonly because?: string }
  | { readonly complaint: Complaint };

/** An object with pods, and what becomes of those that run. */
function withPods(
  object: KubeObject,
  workload: Workload,
  place: Place,
  restarting: Restarting,
  { live, dependencies }: Around,
): Marked {
  const { path, rollout, podSpec } = workload;
  const clean = withNested(object, path, {});
  const change = live && changeOf(clean, live, path);
  if (rollout === 'immutable') {
    if (change && change.set.length > 0) return { complaint: immutable(object, place, change) };
    const quiet = { policy: 'always', restartUID: undefined, templateChanges: false } as const;
    const { onTemplate } = nested({ ...quiet, live, path, hashes: () => ({}), reads: () => dependenciesOf(podSpec) });
    return { object: withNested(clean, path, onTemplate) };
  }
  const templateChanges = change !== undefined && change.set.length + change.removed.length > 0;
  const { onTemplate, baseline, because } = nested({
    policy: place.operatorVersion.spec.restartPolicy ?? 'always',
    restartUID: restarting.restartUID,
    live,
    path,
    templateChanges,
    hashes: () => hashesOf(podSpec, dependencies),
    reads: () => dependenciesOf(podSpec),
  });
  const reasons = [because, templateChanges ? `its pod template changes: ${showChange(change)}` : undefined].filter(
    (reason) => reason !== undefined,
  );
  return {
    object: withNested(clean, path, onTemplate),
    ...(baseline !== undefined && { baseline }),
    ...(reasons.length > 0 && rollout === 'rolls' && { because: reasons.join('; ') }),
  };
}

/** What applying the object would change of the live pod template, apart from our own annotations on it. */
function changeOf(clean: KubeObject, live: AnyObject, path: readonly string[]): TemplateChange {
  const applied = lastApplied(live);
  return templateChange(at(clean, path), at(live, path), applied && at(withNested(applied, path, {}), path));
}

/** A copy whose pod template has, of the annotations that are ours to write there, exactly these. */
function withNested<T extends KubeObject>(
  object: T,
  path: readonly string[],
  ours: Readonly<Record<string, string>>,
): T {
  if (!isFields(at(object, path))) return object;
  const had = at(object, [...path, 'metadata', 'annotations']);
  if (had === undefined && Object.keys(ours).length === 0) return object;
  return replacedAt(object, [...path, 'metadata', 'annotations'], (found) => ({
    ...without(found, nestedAnnotations),
    ...ours,
  }));
}

function annotated<T extends KubeObject>(object: T, added: Readonly<Record<string, string>>): T {
  return replacedAt(object, ['metadata', 'annotations'], (found) => ({ ...found, ...added }));
}

function without(fields: Fields, keys: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => !keys.includes(key)));
}

function ownedBy(other: { readonly kind: string; readonly name: string }, object: KubeObject, place: Place): Complaint {
  const { namespace } = place.instance;
  return {
    reason: 'TaskEnhancementError',
    message:
      `fatal error: failed to set controller reference on ${object.kind} ${namespace}/${object.metadata.name}: ` +
      `it is already owned by another controller, ${other.kind} ${other.name}; give one of the two another name`,
  };
}

function immutable(object: KubeObject, place: Place, change: TemplateChange): Complaint {
  return {
    reason: 'ResourceValidationError',
    message:
      `fatal error: ${object.kind} ${place.instance.namespace}/${object.metadata.name} exists, and its pod template cannot be ` +
      `changed: ${showChange(change)}; delete it by a Delete task before this one, or let its name change with its content`,
  };
}
