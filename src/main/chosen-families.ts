import { type FamilyName, families, familyNames } from './families.ts';

/** What decides which families run. */
export interface Choice {
  /** Those that were asked for; empty: those whose definitions are installed. */
  readonly asked: readonly FamilyName[];
  /** The API groups that the cluster serves. */
  readonly served: readonly string[];
  /** The only namespaces that are looked at; empty: all. */
  readonly namespaces: readonly string[];
}

export type Chosen =
  | {
      readonly families: readonly FamilyName[];
      /** Why one that is installed does not run, for people. */
      readonly left?: string;
    }
  /** What was asked for cannot be had: one line for whoever asked. */
  | { readonly refused: string };

/** Organizations and spaces are namespaces that the operator makes while it runs: no list of them can be given before. */
const whyNot =
  'Cloud Foundry cannot be run with --watch-namespace: its organizations and spaces are namespaces that it makes itself';

/**
 * The families that run: those that were asked for, else those whose definitions the cluster has; all of them when it has
 * none yet, so that somebody waits for them. Cloud Foundry is never run in some namespaces only.
 */
export function chosenFamilies({ asked, served, namespaces }: Choice): Chosen {
  const some = namespaces.length > 0;
  if (asked.length > 0) {
    return some && asked.includes('cloudfoundry')
      ? { refused: `${whyNot}; leave out one of the two, or run it by a second operator` }
      : { families: asked };
  }
  const able = familyNames.filter((name) => !some || name !== 'cloudfoundry');
  const found = able.filter((name) => served.includes(families[name].group));
  const left = some && served.includes(families.cloudfoundry.group);
  return { families: found.length > 0 ? found : able, ...(left && { left: whyNot }) };
}
