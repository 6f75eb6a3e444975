import type { AnyObject } from '../../kube/object.ts';

/**
 * What the server said of objects that seem to have drifted: whether somebody else changed what a plan had set. Whose a field is
 * cannot change without a new version of its object, so each version is asked for once.
 *
 * Kept by the very object that a cache shows: a verdict goes when the cache lets go of that version.
 */
export class Verdicts {
  readonly #said = new WeakMap<AnyObject, Verdict>();

  /** What was said of this version. Absent: it was not asked for. */
  of(shown: AnyObject | null | undefined): Verdict | undefined {
    return shown ? this.#said.get(shown) : undefined;
  }

  /** Keeps what the server said, if it spoke of the version that the cache shows: another one will be shown, and asked for. */
  keep(shown: AnyObject | null | undefined, stored: AnyObject, verdict: Verdict): void {
    const [mine, its] = [shown?.metadata, stored.metadata];
    if (shown && mine?.uid === its.uid && mine?.resourceVersion === its.resourceVersion) this.#said.set(shown, verdict);
  }
}

/** `gone`: it has lost our labels. */
export type Verdict = 'as it was left' | 'changed' | 'gone';
