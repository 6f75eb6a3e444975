import type { KubeObject } from '../../kube/object.ts';
import { annotations } from '../keys.ts';
import { bumpedAtStop, revisionsOf } from '../revision.ts';

/** An app, as far as a stop is concerned. */
export interface Stoppable extends KubeObject {
  readonly spec?: { readonly desiredState?: string };
}

/** What a write must not forget: whoever replaces an object by a file has none of it. */
const kept = [annotations.creationVersion, annotations.appRev, annotations.lastStopAppRev, annotations.highestAppRev];

/**
 * The annotations of an object as a write may leave them: what is never forgotten is taken from before, and a stop is bumped.
 *
 * Once per stop: a write that carries a new revision in both (the API's) has been bumped. The new revision is greater
 * than all that were ever given, also when the write says otherwise.
 */
export function revisionsKept(before: Stoppable, after: Stoppable): Readonly<Record<string, string>> {
  const written = { ...remembered(before), ...after.metadata.annotations };
  if (before.spec?.desiredState !== 'STARTED' || after.spec?.desiredState !== 'STOPPED') return written;
  const next = { metadata: { annotations: written } };
  const [old, said] = [revisionsOf(before), revisionsOf(next)];
  if (said.lastStopAppRev > old.highest && said.appRev === said.lastStopAppRev) return written;
  return { ...written, ...bumpedAtStop(said.highest > old.highest ? next : before) };
}

function remembered({ metadata }: KubeObject): Readonly<Record<string, string>> {
  const before = metadata.annotations ?? {};
  return Object.fromEntries(
    kept.flatMap((key) => {
      const value = before[key];
      return value === undefined ? [] : [[key, value]];
    }),
  );
}
