import type { CreateAction } from '../../../control/decision.ts';
import type { BlueGreenSettings } from '../../config/blue-green-options.ts';
import { effectiveConfig } from '../../config/effective-config.ts';
import { flinkOptions } from '../../config/flink-options.ts';
import { operatorOptions } from '../../config/operator-options.ts';
import { read } from '../../config/option.ts';
import type { BlueGreenTransition } from '../../resources/blue-green-transition.ts';
import type { FlinkDeploymentSpec } from '../../resources/flink-deployment.ts';
import { instantText } from '../instant-text.ts';
import { toCreate } from '../refusal.ts';
import type { Effect } from '../step.ts';
import type { BlueGreenCase, Status } from './blue-green-case.ts';
import type { BlueGreenStep } from './blue-green-step.ts';
import { attempted, lacking, moved } from './record.ts';
import { savepointName, savepointObject } from './savepoint-object.ts';
import { word } from './target.ts';

/** How long a savepoint may take: a minute more than the time that Flink gives a checkpoint. */
export function savepointLimitMs({ checkpointTimeoutMs }: BlueGreenSettings): number {
  return checkpointTimeoutMs + 60_000;
}

/** Asks for a savepoint of the serving side, under an attempt of its own: no earlier one is ever taken for it. */
export function askSavepoint(
  c: BlueGreenCase,
  begun: Status & { readonly transition: BlueGreenTransition },
  events: readonly Effect[] = [],
): BlueGreenStep {
  const { attempt } = attempted(begun);
  const { seen } = c.x;
  const jobId = seen?.status.jobStatus?.jobId;
  const until = c.now + savepointLimitMs(c.settings);
  const cleared = lacking({ ...begun, attempt }, 'savepointRetryAt', 'savepointError');
  const status = moved(c, cleared, 'savepointing', {
    savepoint: {
      snapshot: savepointName(c.name, c.uid, attempt),
      uid: seen?.ref.uid ?? '',
      ...(jobId !== undefined && { jobId }),
      askedAt: instantText(c.now),
      deadline: instantText(until),
    },
  });
  return {
    status,
    effects: [savepointCreation(c, attempt), ...events],
    because: savepointBecause(c),
    wakeAt: until,
  };
}

export function savepointBecause(c: BlueGreenCase): string {
  return `A savepoint of ${word(c.x.color)} is being taken.`;
}

/** The request for it; the same one for the same attempt. */
export function savepointCreation(c: BlueGreenCase, attempt: number): CreateAction {
  const { resource, view, x } = c;
  const { namespace = '' } = resource.metadata;
  const configOf = ({ flinkVersion, flinkConfiguration }: FlinkDeploymentSpec) =>
    effectiveConfig(view.operator, { namespace, flinkVersion }, flinkConfiguration);
  const config = configOf(x.seen?.spec ?? {});
  const format = read(config, operatorOptions.savepointFormat);
  // A side that needed no state until now may have no directory of its own.
  const wanted = read(configOf(c.desired.template?.spec ?? {}), flinkOptions.savepointsDirectory);
  const directory = read(config, flinkOptions.savepointsDirectory) ? undefined : wanted;
  return toCreate(savepointObject({ resource, child: x.name, attempt, format, ...(directory && { directory }) }));
}
