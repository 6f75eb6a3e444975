import type { CallAction } from '../control/decision.ts';
import type { ClusterAddress } from './rest.ts';

/**
 * The verbs of the port `flink`, and the arguments of each. Every call carries an id that status holds already; where
 * Flink takes an id from its client (triggers, jobs), it is that very id, so a repeated request is the same request.
 *
 * - `stop`: stops the job with a savepoint; `id` is the trigger id
 * - `savepoint`, `checkpoint`: triggers one; `id` is the trigger id
 * - `cancel`: cancels the job; done already is success
 * - `submit`: uploads the jar and runs it as job `jobId`; a job of that id that exists already is success
 * - `dispose`: removes a savepoint
 * - `rescale`: sets the parallelism of vertices
 */
export interface FlinkCalls {
  stop: { cluster: ClusterAddress; jobId: string; directory?: string; drain: boolean; format: string };
  savepoint: { cluster: ClusterAddress; jobId: string; directory?: string; format: string };
  checkpoint: { cluster: ClusterAddress; jobId: string; type: string };
  cancel: { cluster: ClusterAddress; jobId: string };
  submit: { cluster: ClusterAddress; jobId: string; jarUri?: string; run: SubmitRun; artifacts: ArtifactRules };
  dispose: { cluster: ClusterAddress; path: string };
  rescale: {
    cluster: ClusterAddress;
    jobId: string;
    requirements: Record<string, { lower: number; upper: number }>;
  };
}

/** The body of Flink's jar run request, except the job id. */
export type SubmitRun = {
  entryClass?: string;
  programArgsList?: string[];
  parallelism?: number;
  allowNonRestoredState?: boolean;
  savepointPath?: string;
  /** `restoreMode` before Flink 1.20, `claimMode` from then on. */
  restoreMode?: string;
  claimMode?: string;
  flinkConfiguration?: Record<string, string>;
};

/** What a jar may be fetched from, and how. */
export type ArtifactRules = {
  allowedSchemes: string[];
  disallowRestrictedHosts: boolean;
  headers: Record<string, string>;
};

/** A call of the port `flink`. */
export function flinkCall<V extends keyof FlinkCalls>(verb: V, id: string, args: FlinkCalls[V]): CallAction {
  return { do: 'call', port: 'flink', verb, id, args };
}
