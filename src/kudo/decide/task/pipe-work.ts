import type { KubeObject } from '../../../kube/object.ts';

/** What a Pipe task is to do: run a pod, and keep files that its init container wrote. */
export interface PipeWork {
  /** The pod with its waiting container, not yet enhanced. */
  readonly pod: KubeObject;
  readonly artifacts: readonly Artifact[];
}

export interface Artifact {
  /** In the waiting container. */
  readonly path: string;
  /** The file as it is under its own name, or one key per line of an environment file. */
  readonly as: 'file' | 'envFile';
  readonly kind: 'ConfigMap' | 'Secret';
  readonly name: string;
}

/** What `collect` of the port `pipe` is given: which files of which pod become what. */
export interface Collection {
  readonly pod: { readonly namespace: string; readonly name: string; readonly uid: string };
  readonly files: readonly {
    readonly path: string;
    readonly as: Artifact['as'];
    /** The ConfigMap or Secret, with everything but its content. */
    readonly object: KubeObject;
  }[];
}
