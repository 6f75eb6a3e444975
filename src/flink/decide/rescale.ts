import { flinkOptions } from '../config/flink-options.ts';
import { atLeast } from '../config/flink-version.ts';
import { operatorOptions } from '../config/operator-options.ts';
import { read } from '../config/option.ts';
import { flinkId } from '../ids.ts';
import type { Transition } from '../resources/transition.ts';
import { terminal } from '../rest.ts';
import { instantText } from './instant-text.ts';
import type { JobCase, JobHolder } from './job-case.ts';
import { overridesIn, versionOf } from './situation.ts';
import type { Status } from './status.ts';
import type { Effect, Step } from './step.ts';
import { advance } from './transition/advance.ts';
import { attempted } from './transition/begin.ts';

/**
 * Rescales without a restart, where that is possible: in native mode Flink is told the parallelism of vertices, in
 * standalone mode a reactive job takes what TaskManagers there are. Anything else is an upgrade.
 */
export function rescale(c: JobCase, recorded: JobHolder, events: readonly Effect[]): Step<Status> | undefined {
  if (c.is !== 'application' || !canRescale(c, recorded)) return undefined;
  const status = attempted(c.status);
  const at = instantText(c.now);
  const transition: Transition = {
    id: `${c.uid}-${status.attempt}`,
    cause: 'spec-change',
    because: 'The parallelism changed.',
    generation: c.generation,
    phase: 'rescaling',
    startedAt: at,
    phaseStartedAt: at,
    stop: { mode: 'none', callId: flinkId(c.uid, status.attempt, 'rescale') },
    restore: { mode: recorded.job.upgradeMode ?? 'stateless' },
  };
  const step = advance({ ...c, status: { ...status, observedGeneration: c.generation, transition } });
  return { ...step, effects: [...events, ...step.effects] };
}

/** Whether the job can be brought from one spec to the other while it runs. */
export function canRescale(c: JobCase, recorded: JobHolder): boolean {
  const { state } = c.status.jobStatus ?? {};
  if (state === undefined || state === 'RECONCILING' || terminal(state) || c.spec.job.state === 'suspended')
    return false;
  if ('mode' in c.spec && c.spec.mode === 'standalone') {
    return (
      read(c.config, flinkOptions.schedulerMode)?.toLowerCase() === 'reactive' && c.cluster.taskManager !== undefined
    );
  }
  const [before, after] = [overridesIn(recorded), overridesIn(c.spec)];
  const kept = [...before.keys()].every((vertex) => after.has(vertex));
  return (
    read(c.config, operatorOptions.inplaceScaling) &&
    atLeast(versionOf(c.spec), 'v1_18') &&
    read(c.config, flinkOptions.scheduler)?.toLowerCase() === 'adaptive' &&
    c.jobManager.status === 'READY' &&
    after.size > 0 &&
    kept
  );
}
