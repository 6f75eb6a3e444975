import type { FlinkBlueGreenDeployment } from '../resources/flink-blue-green-deployment.ts';
import { effectiveConfig } from './effective-config.ts';
import { flinkOptions } from './flink-options.ts';
import type { OperatorConfig } from './operator-config.ts';
import { operatorOptions } from './operator-options.ts';
import { type Option, read } from './option.ts';
import { boolean, count, oneOf, type ValueKind, waitingTime } from './value-kind.ts';

const [second, minute] = [1000, 60_000];

/** The keys of blue/green deployments, `kubernetes.operator.bluegreen.…`. */
export const blueGreenOptions = {
  // Those of seed 001, with its defaults
  abortGracePeriod: blueGreen(
    'abort.grace-period',
    waitingTime,
    10 * minute,
    'How long a new side may take until its job runs and is stable; then it is given up, and the old one serves on.',
  ),
  deletionDelay: blueGreen(
    'deployment-deletion.delay',
    waitingTime,
    0,
    'How long the old side stays after traffic has moved. Ingress controllers need a few seconds to follow.',
  ),

  // Beyond it, off unless they are set
  abortAction: blueGreen(
    'abort.action',
    oneOf('keep', 'suspend', 'delete'),
    'keep',
    'What becomes of a new side that is given up: it is kept as it is, suspended, or deleted.',
  ),
  promotion: blueGreen(
    'promotion',
    oneOf('automatic', 'manual'),
    'automatic',
    'Whether traffic moves to a new side that is ready by itself, or when the annotation `cutover.dev/promote` names the transition.',
  ),
  promotionHold: blueGreen(
    'promotion.hold',
    waitingTime,
    0,
    'How long a new side must have been ready before traffic moves to it.',
  ),
  previewIngress: blueGreen(
    'preview-ingress',
    boolean,
    false,
    'A second Ingress, `NAME-preview`, leads to the new side while the old one still serves. It needs `spec.ingress`.',
  ),
  rollbackWindow: blueGreen(
    'rollback-window',
    waitingTime,
    0,
    'How long the old side is kept for a way back by the annotation `cutover.dev/rollback`, after the deletion delay.',
  ),
  unhealthyPolicy: blueGreen(
    'unhealthy.policy',
    oneOf('wait', 'last-checkpoint'),
    'wait',
    'What a transition that needs state does while the old side is not healthy: it waits, or it suspends that side and takes its last checkpoint.',
  ),
  snapshotsKept: blueGreen(
    'savepoint.history.max.count',
    count,
    10,
    'How many savepoints of transitions are kept; one that a transition still needs is kept in any case.',
  ),
} as const;

/** Keys of the Java operator's blue/green deployments that do nothing here. */
export const idleBlueGreenOptions = {
  rescheduleInterval: blueGreen(
    'reconciliation.reschedule-interval',
    waitingTime,
    15 * second,
    'Accepted, without effect: sides, Ingresses and snapshots are watched, and nothing is polled.',
  ),
} as const;

/** What is configured about the transitions of one blue/green deployment. */
export interface BlueGreenSettings {
  readonly abortGraceMs: number;
  readonly deletionDelayMs: number;
  readonly abortAction: 'keep' | 'suspend' | 'delete';
  readonly promotion: 'automatic' | 'manual';
  readonly promotionHoldMs: number;
  readonly previewIngress: boolean;
  readonly rollbackWindowMs: number;
  readonly unhealthyPolicy: 'wait' | 'last-checkpoint';
  readonly snapshotsKept: number;
  /** Whether Ingresses are ours to make; said by the operator alone. */
  readonly ingressManaged: boolean;
  /** How long a checkpoint or savepoint of the job may take, as the template tells Flink. */
  readonly checkpointTimeoutMs: number;
}

/** What a setting of Flink is cut to: a deadline that far away can still be written. */
const longest = 366 * 86_400_000;

/**
 * Later layers win: the operator's own configuration, the template's `flinkConfiguration`, `spec.configuration`. Total: a
 * value that cannot be read counts as not set; validation refuses it before anything is decided on. All of it takes effect
 * without a transition.
 */
export function blueGreenSettings(
  { metadata, spec }: Pick<FlinkBlueGreenDeployment, 'metadata' | 'spec'>,
  operator: OperatorConfig,
): BlueGreenSettings {
  const template = spec.template?.spec;
  const place = { namespace: metadata.namespace ?? 'default', flinkVersion: template?.flinkVersion };
  const config = effectiveConfig(operator, place, template?.flinkConfiguration, spec.configuration);
  return {
    abortGraceMs: read(config, blueGreenOptions.abortGracePeriod),
    deletionDelayMs: read(config, blueGreenOptions.deletionDelay),
    abortAction: read(config, blueGreenOptions.abortAction),
    promotion: read(config, blueGreenOptions.promotion),
    promotionHoldMs: read(config, blueGreenOptions.promotionHold),
    previewIngress: read(config, blueGreenOptions.previewIngress),
    rollbackWindowMs: read(config, blueGreenOptions.rollbackWindow),
    unhealthyPolicy: read(config, blueGreenOptions.unhealthyPolicy),
    snapshotsKept: read(config, blueGreenOptions.snapshotsKept),
    ingressManaged: read(config, operatorOptions.ingressManage),
    checkpointTimeoutMs: Math.min(Math.max(read(config, flinkOptions.checkpointTimeout), 0), longest),
  };
}

function blueGreen<T>(name: string, kind: ValueKind<T>, otherwise: NoInfer<T>, says: string): Option<T> {
  return { key: `kubernetes.operator.bluegreen.${name}`, otherKeys: [], kind, otherwise, scope: 'resource', says };
}
