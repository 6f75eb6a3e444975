import { labels } from '../../keys.ts';

interface Selecting {
  readonly spec?: {
    readonly selector?: {
      readonly matchLabels?: Readonly<Record<string, string>>;
      readonly matchExpressions?: readonly { readonly key?: string }[];
    };
  };
}

/**
 * Whether a StatefulSet can take another revision. Early runners put the revision into the selector, which nobody can change,
 * and which the template has to match: such a set can be scaled, but only a stop makes another one in its place.
 */
export function canRoll({ spec }: Selecting): boolean {
  const { matchLabels = {}, matchExpressions = [] } = spec?.selector ?? {};
  return !Object.hasOwn(matchLabels, labels.version) && !matchExpressions.some(({ key }) => key === labels.version);
}

/** The last release whose StatefulSets cannot roll. */
const lastLegacy = [0, 7, 1] as const;

/**
 * The same where only the version that made the workload is known. What is no version counts as old, as it does for those
 * who published the annotation. Ours say `cutover` behind their number.
 */
export function canRollByVersion(creationVersion: string | undefined): boolean {
  const found = /^v?(\d+)\.(\d+)\.(\d+)(.*)$/.exec(creationVersion ?? '');
  if (!found) return false;
  if (found[4]?.includes('cutover')) return true;
  const parts = [Number(found[1]), Number(found[2]), Number(found[3])];
  const differing = parts.findIndex((part, index) => part !== lastLegacy[index]);
  return differing >= 0 && (parts[differing] ?? 0) > (lastLegacy[differing] ?? 0);
}
