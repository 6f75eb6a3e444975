import type { OperatorVersion } from '../resources/operator-version.ts';

/** Where in which plan of which Instance something is rendered, and with which values. */
export interface Place {
  readonly instance: { readonly name: string; readonly namespace: string; readonly uid: string };
  readonly operatorVersion: OperatorVersion;
  /** The accepted values: what is absent has the default of the package. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly plan: string;
  readonly phase: string;
  readonly step: string;
  /** What `.Pipes` yields: key → name of the artifact; the pipes of the whole plan. */
  readonly pipes: Readonly<Record<string, string>>;
  /** Makes random functions of templates the same for the life of the Instance. Absent: such functions fail. */
  readonly key?: Uint8Array;
}

/** Which restart an execution carries into pod templates. */
export interface Restarting {
  /** The execution that applies. */
  readonly executionUid: string;
  /** The execution whose demand is carried out; absent: a quiet one, pod templates stay as they are. */
  readonly restartUID?: string;
}
