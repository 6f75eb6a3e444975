/**
 * What cannot be watched through Kubernetes brings keys back: somebody who asks the outside world now and then, and
 * tells when something changed that a key looks at.
 */
export interface Outside {
  /** Calls `wake` with every key that should be looked at again, never merely because time passed. Returns the way to stop. */
  listen(wake: (key: string) => void): () => void;
  /** The object of this key is gone: nothing needs to be asked for it any more. */
  forget?(key: string): void;
}
