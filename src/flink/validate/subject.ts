import type { FlinkConfig } from '../config/flink-config.ts';
import type { FlinkDeployment, FlinkDeploymentSpec } from '../resources/flink-deployment.ts';
import type { FlinkSessionJob, FlinkSessionJobSpec } from '../resources/flink-session-job.ts';
import type { JobSpec } from '../resources/job-spec.ts';
import type { Nonces } from '../resources/progress.ts';
import type { Transition } from '../resources/transition.ts';
import type { ArtifactPolicy } from './artifact-uri.ts';

/** A spec beside the one that is deployed. */
export interface Recorded<Spec> {
  readonly spec: Spec;
  /** What is deployed; absent before the first deployment. */
  readonly recorded: Spec | undefined;
  /** The last value of each nonce that was acted upon. */
  readonly nonces: Nonces | undefined;
  /** What was accepted last, where that is not deployed yet: what an edit is an edit of. */
  readonly accepted?: Spec | undefined;
}

/** What is in force, and what of it the user wrote. */
export interface Configured {
  readonly config: FlinkConfig;
  /** The keys of the resource's own `flinkConfiguration`. */
  readonly written: FlinkConfig;
}

/** A job of either kind. */
export interface JobSubject extends Configured {
  readonly job: JobSpec | undefined;
  /** `spec.taskManager.replicas`; a session job has none. */
  readonly replicas: number | undefined;
}

/** What the rules for a FlinkDeployment look at. */
export interface DeploymentSubject extends Recorded<FlinkDeploymentSpec>, JobSubject {
  readonly resource: FlinkDeployment;
  readonly transition: Transition | undefined;
}

/** What the rules for a FlinkSessionJob look at. */
export interface SessionJobSubject extends Recorded<FlinkSessionJobSpec>, JobSubject {
  readonly resource: FlinkSessionJob;
  /** The cluster that it names; absent when there is none, or none is known. */
  readonly session: FlinkDeployment | undefined;
  readonly artifacts: ArtifactPolicy;
}
