import type { AnyObject } from '../../kube/object.ts';
import { at } from '../graph/workload.ts';
import { annotations, nestedAnnotations } from '../keys.ts';
import type { Dependencies } from './hash/dependency.ts';
import {
  type Baseline,
  baselineOf,
  baselineText,
  changedParts,
  type Hashes,
  hashAnnotations,
  kept,
} from './hash/hashes.ts';

/** What is to stand on a workload about restarts. */
export interface Nested {
  /** Of the keys in `nestedAnnotations`, those that the pod template is to have. */
  readonly onTemplate: Readonly<Record<string, string>>;
  /** What the object itself says of the content that its pods were started with; absent: nothing. */
  readonly baseline?: string;
  /** Why pods restart on account of this; absent: they do not. */
  readonly because?: string;
}

export interface Circumstances {
  readonly policy: 'always' | 'onDependencyChange';
  /** The execution that demands the restart; undefined: a quiet one. */
  readonly restartUID: string | undefined;
  /** The object as it is now; undefined: it is being created. */
  readonly live: AnyObject | undefined;
  /** The way to the pod template. */
  readonly path: readonly string[];
  /** Whether pods restart anyway, for their template as rendered is another one. */
  readonly templateChanges: boolean;
  /** Only asked for under `onDependencyChange`. */
  readonly hashes: () => Hashes;
  /** What the pods read, to say it; only asked for when it changed. */
  readonly reads: () => Dependencies;
}

/**
 * The rule of `forcePodRestart`. Any change of a pod template restarts its pods, also one of annotations, also that one
 * disappears. So a quiet execution hands back what it finds, whoever wrote it; and an execution that restarts pods anyway
 * leaves nothing there but its own mark.
 *
 * Guarantee: with the result applied, the same circumstances give the same result and no restart, so that an execution may
 * be interrupted anywhere and begin again.
 */
export function nested(circumstances: Circumstances): Nested {
  return circumstances.policy === 'always' ? always(circumstances) : onDependencyChange(circumstances);
}

function always({ restartUID, live, path }: Circumstances): Nested {
  const found = nestedOn(live, path);
  if (restartUID !== undefined) {
    const onTemplate = { [annotations.planUid]: restartUID };
    const because = live && !same(found, onTemplate) ? `plan execution ${restartUID} restarts pods` : undefined;
    return { onTemplate, ...(because !== undefined && { because }) };
  }
  const baseline = live?.metadata.annotations?.[annotations.hashBaseline];
  return { onTemplate: found, ...(baseline !== undefined && { baseline }) };
}

function onDependencyChange({ restartUID, live, path, templateChanges, hashes, reads }: Circumstances): Nested {
  const now = hashes();
  if (live === undefined) {
    return { onTemplate: restartUID === undefined ? {} : hashAnnotations(now), baseline: baselineText(now) };
  }
  const found = nestedOn(live, path);
  const before = baselineOf(live, found);
  const because = restartUID === undefined ? undefined : whatChanged(before, now, reads);
  if (restartUID !== undefined && because !== undefined) {
    const marks = hashAnnotations(now);
    // Content that is again what it was when the mark was made: the mark alone would change nothing.
    const onTemplate = same(found, marks) ? { ...marks, [annotations.planUid]: restartUID } : marks;
    return { onTemplate, baseline: baselineText(now), because };
  }
  // Pods that restart for another reason start with the content of today.
  return { onTemplate: found, baseline: baselineText(templateChanges ? now : kept(before, now)) };
}

/** Hashes tell that something changed, not what: of several objects each may be it. */
function whatChanged(before: Baseline, now: Hashes, reads: () => Dependencies): string | undefined {
  const changed = changedParts(before, now);
  if (!changed.dependencies && !changed.references) return undefined;
  const { mounted, others } = reads();
  const names = [...(changed.dependencies ? mounted : []), ...(changed.references ? others : [])].map(
    ({ kind, name }) => `${kind} ${name}`,
  );
  const [only, ...more] = new Set(names);
  if (only === undefined) return 'its pods no longer read what they did';
  if (more.length === 0) return `${only} changed, which its pods read`;
  const shown = [only, ...more].slice(0, 4).join(', ');
  return `what its pods read changed: one or more of ${shown}${more.length > 3 ? ` and ${more.length - 3} others` : ''}`;
}

/** Those of our keys that are on the pod template of an object. */
function nestedOn(object: AnyObject | undefined, path: readonly string[]): Readonly<Record<string, string>> {
  const found = at(object, [...path, 'metadata', 'annotations']);
  return Object.fromEntries(
    nestedAnnotations.flatMap((key) => {
      const value = at(found, [key]);
      return typeof value === 'string' ? [[key, value]] : [];
    }),
  );
}

function same(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}
