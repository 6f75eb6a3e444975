import type { KubeObject } from '../../../kube/object.ts';
import { formatted } from '../../../portrait/text/formatted.ts';
import { type PlanObject, planObjects } from '../../graph/plan-objects.ts';
import { planNames } from '../../graph/template-uses.ts';
import type { OperatorVersion } from '../../resources/operator-version.ts';
import { unifiedDiff } from '../print/unified-diff.ts';
import { hiddenValues } from './hidden-values.ts';
import type { PreviewSubject } from './subject.ts';

/** What a change does to one object. */
export interface ObjectDiff {
  readonly kind: string;
  readonly name: string;
  readonly does: 'create' | 'change' | 'delete';
  /** As `diff -u` shows it. Values of Secrets are not in it. */
  readonly diff: string;
}

export interface Side {
  readonly version: OperatorVersion;
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * What templates make before and after a change, object by object, in the order of the plan. `isThere` says what of it is in
 * the cluster; without it everything that was made before is taken to be there.
 */
export function objectDiffs(
  { instance, key }: Pick<PreviewSubject, 'instance' | 'key'>,
  {
    from,
    to,
    plan,
    isThere,
  }: { readonly from: Side; readonly to: Side; readonly plan: string; isThere?(id: string): boolean },
): readonly ObjectDiff[] {
  const made = ({ version, parameters }: Side, plans: readonly string[]): ReadonlyMap<string, PlanObject> =>
    planObjects({ operatorVersion: version, instance, ...(key && { key }) }, plans, parameters);
  // Any plan of another version may have made what the plan of this one applies.
  const upgraded = from.version !== to.version;
  const old = made(from, upgraded ? planNames(from.version.spec.plans) : [plan]);
  return [...made(to, [plan]).values()].flatMap(({ id, object, deleted }): ObjectDiff[] => {
    const before = old.get(id);
    const there = isThere ? isThere(id) : before !== undefined && !before.deleted;
    const { kind, metadata } = object;
    const title = { kind, name: metadata.name ?? '' };
    if (deleted) return there ? [{ ...title, does: 'delete', diff: '' }] : [];
    const known = there && before && !before.deleted ? before.object : undefined;
    const [left, right] = masked(known, object);
    const diff = unifiedDiff(left ? formatted(left, 'yaml') : '', formatted(right, 'yaml'));
    if (!there) return [{ ...title, does: 'create', diff }];
    return diff === '' ? [] : [{ ...title, does: 'change', diff }];
  });
}

/** A pair of objects in which values of Secrets are hidden, but still differ where they do. */
function masked(before: KubeObject | undefined, after: KubeObject): readonly [KubeObject | undefined, KubeObject] {
  if (before === undefined) return [undefined, hiddenValues(after)];
  return [
    hiddenValues(before, { object: after, mark: 'before' }),
    hiddenValues(after, { object: before, mark: 'after' }),
  ];
}
