import type { Instant } from '../clock/clock.ts';
import type { View } from '../control/controller.ts';
import type { VersionedRef } from '../control/decision.ts';
import type { OperatorConfig } from './config/operator-config.ts';
import type { Color } from './resources/blue-green-transition.ts';
import type { FlinkBlueGreenDeployment } from './resources/flink-blue-green-deployment.ts';
import type { FlinkDeploymentSpec, FlinkDeploymentStatus } from './resources/flink-deployment.ts';
import type { FlinkStateSnapshot } from './resources/flink-state-snapshot.ts';

/**
 * All that is decided on about a FlinkBlueGreenDeployment. Of its sides only what any operator of FlinkDeployments tells:
 * it does not matter who runs them.
 */
export interface BlueGreenView extends View {
  readonly resource: FlinkBlueGreenDeployment;
  readonly operator: OperatorConfig;
  /** The FlinkDeployments with the names of the two sides, whoever owns them; absent when there is none. */
  readonly sides: Readonly<Record<Color, SideSeen | undefined>>;
  /** One of them only the API server showed, when it was asked, and no cache: perhaps none tells when it is gone. */
  readonly unheard?: boolean;
  /** Whether there is a FlinkDeployment with the resource's own name: somebody is moving from one kind to the other. */
  readonly namesake: boolean;
  /** The Ingress with our name, whoever owns it. */
  readonly ingress: IngressSeen | undefined;
  /** The Ingress with the name of the preview, whoever owns it. */
  readonly preview: IngressSeen | undefined;
  /** Savepoints that were taken for this resource (label `cutover.dev/blue-green`, id by uid), the oldest first. */
  readonly snapshots: readonly FlinkStateSnapshot[];
}

/** A FlinkDeployment, as it was last seen. */
export interface SideSeen {
  readonly ref: VersionedRef;
  /** Uids of its owners. */
  readonly owners: readonly string[];
  /** Our own id on it: the creation that made it. Absent on what the Java operator made. */
  readonly id: string | undefined;
  readonly terminating: boolean;
  /** When its deletion was asked for. */
  readonly terminatingSince: Instant | undefined;
  /** What its deletion waits for. */
  readonly finalizers: readonly string[];
  readonly generation: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: FlinkDeploymentSpec;
  readonly status: FlinkDeploymentStatus;
}

/** An Ingress, as it was last seen. */
export interface IngressSeen {
  readonly ref: VersionedRef;
  readonly owners: readonly string[];
  readonly terminating: boolean;
  /** The Services that its rules lead to, without doubles. */
  readonly backends: readonly string[];
  /** The move of traffic that led it there, by our own mark on it. */
  readonly move?: string | undefined;
}
