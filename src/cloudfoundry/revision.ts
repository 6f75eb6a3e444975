import type { KubeObject } from '../kube/object.ts';
import { annotations } from './keys.ts';

/** The revisions of an app, as its annotations have them. */
export interface Revisions {
  /** The revision that is wanted. */
  readonly appRev: number;
  /** The revision at the last stop. Before the first stop, and before anybody has recorded it: `appRev`. */
  readonly lastStopAppRev: number;
  /** The greatest revision ever given: also one that was canceled. */
  readonly highest: number;
}

/** What is written on an app to give it revisions. Merge it into its annotations. */
export type RevisionAnnotations = Readonly<Record<string, string>>;

type Annotated = Pick<KubeObject, 'metadata'>;

/**
 * The revisions of an app. Whatever is not a whole number that can be counted on counts as 0, as it does for those who
 * published the annotations: an app with a damaged annotation must still be stoppable.
 */
export function revisionsOf({ metadata }: Annotated): Revisions {
  const written = metadata.annotations ?? {};
  const appRev = countable(written[annotations.appRev]) ?? 0;
  const lastStopAppRev = countable(written[annotations.lastStopAppRev]) ?? appRev;
  const highest = Math.max(appRev, lastStopAppRev, countable(written[annotations.highestAppRev]) ?? 0);
  return { appRev, lastStopAppRev, highest };
}

/**
 * The one bump at a stop: STARTED → STOPPED makes a new revision and records it as that of the last stop. API, webhook and
 * controller call this with the app as it was, write it together with (or, the controller, after) the new state, and never
 * twice for one stop: see `unbumpedStop`.
 */
export function bumpedAtStop(app: Annotated): RevisionAnnotations {
  const next = String(revisionsOf(app).highest + 1);
  return { [annotations.appRev]: next, [annotations.lastStopAppRev]: next, [annotations.highestAppRev]: next };
}

/** The bump of a deployment: a new revision, and the last stop stays. The only case in which the two differ. */
export function bumpedAtDeployment(app: Annotated): RevisionAnnotations & { readonly [annotations.appRev]: string } {
  const { highest, lastStopAppRev } = revisionsOf(app);
  const next = String(highest + 1);
  return {
    [annotations.appRev]: next,
    [annotations.lastStopAppRev]: String(lastStopAppRev),
    [annotations.highestAppRev]: next,
  };
}

/** The way back to a revision that is kept. The canceled one is never given again: `highest` stays. */
export function returnedTo(app: Annotated, appRev: number): RevisionAnnotations {
  const { highest, lastStopAppRev } = revisionsOf(app);
  return {
    [annotations.appRev]: String(appRev),
    [annotations.lastStopAppRev]: String(lastStopAppRev),
    [annotations.highestAppRev]: String(highest),
  };
}

/**
 * Whether the app was stopped and nobody has bumped: it was seen STARTED, is STOPPED now, and its `last-stop-app-rev` is
 * still the one that was seen with STARTED. A stop by API or webhook changes it in the same write as the state.
 */
export function unbumpedStop(
  app: Annotated & { readonly spec: { readonly desiredState: string } },
  seen: { readonly observedDesiredState?: string; readonly observedLastStopAppRev?: string } | undefined,
): boolean {
  return (
    app.spec.desiredState === 'STOPPED' &&
    seen?.observedDesiredState === 'STARTED' &&
    seen.observedLastStopAppRev === String(revisionsOf(app).lastStopAppRev)
  );
}

function countable(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{1,16}$/.test(text)) return undefined;
  const number = Number(text);
  // The next one must be countable, too: a revision that cannot be read back would begin anew at 0.
  return number < Number.MAX_SAFE_INTEGER ? number : undefined;
}
