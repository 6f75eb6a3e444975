import { annotations } from '../../../control/annotations.ts';
import { flinkId } from '../../ids.ts';
import type { FlinkBlueGreenDeployment } from '../../resources/flink-blue-green-deployment.ts';
import { flinkDeployment } from '../../resources/flink-deployment.ts';
import { type FlinkStateSnapshot, flinkStateSnapshot } from '../../resources/flink-state-snapshot.ts';
import { snapshotLabels } from '../snapshot/metadata.ts';

/** On a savepoint: the FlinkBlueGreenDeployment that it was taken for. */
export const blueGreenLabel = 'cutover.dev/blue-green';

export interface SavepointWanted {
  readonly resource: FlinkBlueGreenDeployment;
  /** The FlinkDeployment that it is taken of. */
  readonly child: string;
  /** Status holds it before the object is made; no two savepoints have the same. */
  readonly attempt: number;
  /** Where to write it, where the side does not say so itself. */
  readonly directory?: string;
  readonly format: NonNullable<NonNullable<FlinkStateSnapshot['spec']['savepoint']>['formatType']>;
}

/**
 * A savepoint of the side that serves, for the side that is to be made. It is asked for once: a failure is judged by
 * whoever wanted it. It has no owner, so that it outlives both sides; nor is it disposed of with its object, because the
 * new side may have been restored from it.
 *
 * It counts as asked for by a person (`MANUAL`): the history that the side keeps, by us or by the Java operator, leaves
 * it alone.
 */
export function savepointObject({ resource, child, attempt, format, directory }: SavepointWanted): FlinkStateSnapshot {
  const { name = '', namespace, uid = '' } = resource.metadata;
  return {
    apiVersion: flinkStateSnapshot.apiVersion,
    kind: flinkStateSnapshot.type.kind,
    metadata: {
      name: savepointName(name, uid, attempt),
      ...(namespace !== undefined && { namespace }),
      // Who watches only resources with certain labels finds it as it finds the side.
      labels: {
        ...resource.spec.template?.metadata?.labels,
        [blueGreenLabel]: name,
        [snapshotLabels.triggerType]: 'MANUAL',
      },
      annotations: { [annotations.id]: savepointId(uid, attempt) },
    },
    spec: {
      jobReference: { kind: flinkDeployment.type.kind as 'FlinkDeployment', name: child },
      savepoint: { disposeOnDelete: false, formatType: format, ...(directory !== undefined && { path: directory }) },
      backoffLimit: 0,
    },
  };
}

/** Its name tells the attempt: after a crash the same one is found. */
export function savepointName(name: string, uid: string, attempt: number): string {
  return `${name}-savepoint-${flinkId(uid, attempt, 'savepoint').slice(0, 10)}`;
}

/** What `cutover.dev/id` says on it. */
export function savepointId(uid: string, attempt: number): string {
  return `${uid}/${attempt}/savepoint`;
}
