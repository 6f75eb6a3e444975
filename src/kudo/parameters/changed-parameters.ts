import type { OperatorVersion, Parameter } from '../resources/operator-version.ts';
import { definitionsOf } from './definitions.ts';

/** Two sets of values, and the version that each belongs to. */
export interface Values {
  readonly before: ReadonlyMap<string, string>;
  readonly after: ReadonlyMap<string, string>;
  readonly versions: { readonly before: OperatorVersion; readonly after: OperatorVersion };
}

/** What differs between two sets of values. Names are sorted. */
export interface ChangedParameters {
  /** All that were added, got another value, or were removed. */
  readonly names: readonly string[];
  /** Those added or changed that the new version does not have. */
  readonly unknown: readonly string[];
  /** Those added or changed that count, as the new version defines them: both versions must have them. */
  readonly changed: readonly Parameter[];
  /** Those removed that count, as the new version defines them. */
  readonly removed: readonly Parameter[];
}

/**
 * What changed, and what of it counts for choosing a plan.
 *
 * A value is compared as text: setting one that equals the default is a change, and so is removing it. Two of KUDO's
 * peculiarities are kept, since packages and upgrades rely on them: a parameter that an upgrade brings does not count, and
 * if any removed parameter is unknown to the new version, no removal counts.
 */
export function changedParameters({ before, after, versions }: Values): ChangedParameters {
  const [wereThere, areThere] = [definitionsOf(versions.before), definitionsOf(versions.after)];
  const set = [...after.keys()].filter((name) => before.get(name) !== after.get(name)).sort();
  const gone = [...before.keys()].filter((name) => !after.has(name)).sort();
  const definitions = (names: readonly string[]): Parameter[] => names.flatMap((name) => areThere.get(name) ?? []);
  return {
    names: [...set, ...gone].sort(),
    unknown: set.filter((name) => !areThere.has(name)),
    changed: definitions(set.filter((name) => wereThere.has(name))),
    removed: gone.every((name) => areThere.has(name)) ? definitions(gone) : [],
  };
}
