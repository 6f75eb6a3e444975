import type { Instant } from '../../clock/clock.ts';
import { operatorOptions } from '../config/operator-options.ts';
import { read } from '../config/option.ts';
import { terminal } from '../rest.ts';
import type { JobCase } from './job-case.ts';
import { told } from './reasons.ts';
import type { Status } from './status.ts';
import type { Step } from './step.ts';

/** When the JobManager of a job that has ended is put away. */
export function shutdownAt(c: JobCase): Instant | undefined {
  const { state, updateTime } = c.status.jobStatus ?? {};
  const { jobManager } = c.cluster;
  if (c.is !== 'application' || !terminal(state) || !jobManager || jobManager.terminating) return undefined;
  if (!jobManager.owners.includes(c.uid)) return undefined;
  const ended = Number(updateTime ?? Number.NaN);
  return Number.isFinite(ended) ? ended + read(c.config, operatorOptions.shutdownTtl) : undefined;
}

/** The JobManager of a job that has ended stays for a while, so that people can look at it; then it goes. */
export function shutdown(c: JobCase): Step<Status> | undefined {
  const at = shutdownAt(c);
  if (at === undefined || c.now < at) return undefined;
  const going = [c.cluster.jobManager, c.cluster.taskManager].filter((one) => one?.owners.includes(c.uid));
  const because = 'The job has ended, and the time of its JobManager is over.';
  return {
    status: { ...c.status, observedGeneration: c.generation },
    effects: [
      ...going.flatMap((one) => (one && !one.terminating ? [{ do: 'delete' as const, of: one.ref }] : [])),
      told(c.resource, 'ShutdownTtl', because),
    ],
    because,
  };
}
