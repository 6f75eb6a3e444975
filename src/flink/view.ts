import type { Instant } from '../clock/clock.ts';
import type { View } from '../control/controller.ts';
import type { Ref, VersionedRef } from '../control/decision.ts';
import type { OperatorConfig } from './config/operator-config.ts';
import type { FlinkDeployment } from './resources/flink-deployment.ts';
import type { FlinkSessionJob } from './resources/flink-session-job.ts';
import type { FlinkStateSnapshot } from './resources/flink-state-snapshot.ts';
import type { Rest } from './rest.ts';

/** All that is decided on about a FlinkDeployment: an application or a session cluster. */
export interface DeploymentView extends View {
  readonly resource: FlinkDeployment;
  readonly operator: OperatorConfig;
  readonly cluster: Cluster;
  readonly rest: Rest;
  /** Session jobs that name this cluster. */
  readonly sessionJobs: readonly NamedResource[];
  readonly snapshots: Snapshots;
}

/** All that is decided on about a FlinkSessionJob. */
export interface SessionJobView extends View {
  readonly resource: FlinkSessionJob;
  readonly operator: OperatorConfig;
  /** The session cluster that the job names; absent when there is no such FlinkDeployment. */
  readonly session: FlinkDeployment | undefined;
  readonly cluster: Cluster;
  /** Of the session cluster; `job` is this resource's. */
  readonly rest: Rest;
  readonly snapshots: Snapshots;
}

/** All that is decided on about a FlinkStateSnapshot. */
export interface SnapshotView extends View {
  readonly resource: FlinkStateSnapshot;
  readonly operator: OperatorConfig;
  /** The job that it names; absent when there is none. */
  readonly job: FlinkDeployment | FlinkSessionJob | undefined;
  /** The cluster that runs that job: the same as `job` for an application, else the session cluster. */
  readonly session: FlinkDeployment | undefined;
  readonly rest: Rest;
}

export interface NamedResource {
  readonly name: string;
  readonly deleting: boolean;
  /** The job that it runs, as its status tells: in a session every other one is nobody's. */
  readonly jobId?: string;
}

/** The FlinkStateSnapshots of one job. */
export interface Snapshots {
  /** Whether the kind is installed; without it snapshots are kept in the job's own status, as older versions did. */
  readonly installed: boolean;
  readonly items: readonly FlinkStateSnapshot[];
}

/** What Kubernetes shows of one Flink cluster. Objects are recognised by name and labels; whose they are is said by uid. */
export interface Cluster {
  readonly jobManager: DeploymentSeen | undefined;
  /** Standalone mode only: in native mode the JobManager makes its TaskManagers itself. */
  readonly taskManager: DeploymentSeen | undefined;
  /** Pods of the JobManager, those that are going included; the oldest first. */
  readonly pods: readonly PodSeen[];
  /** Services and ConfigMaps with a name that one of ours would have, by `Kind/name`. */
  readonly dependents: Readonly<Record<string, DependentSeen>>;
  readonly ingress: DependentSeen | undefined;
  readonly ha: HaSeen;
  /** Some of it only the API server showed, when it was asked, and no cache: perhaps none tells when it is gone. */
  readonly unheard?: boolean;
}

export interface DeploymentSeen {
  readonly ref: VersionedRef;
  /** Uids of its owners. */
  readonly owners: readonly string[];
  /** Our own id on it: the transition that made it. Absent on what the Java operator made. */
  readonly id: string | undefined;
  /** The annotation `flinkdeployment.flink.apache.org/generation`. */
  readonly generation: number | undefined;
  readonly createdAt: Instant;
  readonly terminating: boolean;
  /** What is asked for. */
  readonly replicas: number;
  readonly available: number;
  readonly conditions: readonly ConditionSeen[];
}

export interface ConditionSeen {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionAt: Instant | undefined;
}

export interface PodSeen {
  readonly ref: Ref;
  readonly createdAt: Instant;
  readonly terminating: boolean;
  readonly ready: boolean;
  readonly phase: string;
  /** Changes when the JobManager process changes: pod uid and restart count. */
  readonly incarnation: string;
  /** Why it cannot start or keep running, if it says so: an image, a crash loop, a mount, a configuration error. */
  readonly failure: PodFailure | undefined;
}

export interface PodFailure {
  /** Kubernetes' word for it: `ImagePullBackOff`, `CrashLoopBackOff`, `FailedMount` … */
  readonly reason: string;
  readonly container: string | undefined;
  readonly message: string;
}

export interface DependentSeen {
  readonly ref: Ref;
  readonly owners: readonly string[];
  readonly id: string | undefined;
  readonly terminating: boolean;
}

/** Flink's own metadata for recovery, as far as Kubernetes shows it. */
export interface HaSeen {
  /** Some job left metadata to recover from. */
  readonly available: boolean;
  /** Some job's metadata names at least one completed checkpoint. */
  readonly withCheckpoint: boolean;
  /** All ConfigMaps that hold it. */
  readonly configMaps: readonly Ref[];
  /** Jobs as they were submitted, kept for a JobManager that takes over: the new one would run them instead of its own. */
  readonly submitted: readonly SubmittedSeen[];
}

/** A ConfigMap with jobs that a JobManager was given, and the keys that hold them. */
export interface SubmittedSeen {
  readonly ref: VersionedRef;
  readonly keys: readonly string[];
}
