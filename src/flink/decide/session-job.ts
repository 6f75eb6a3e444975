import { type Decision, idle } from '../../control/decision.ts';
import type { SessionJobView } from '../view.ts';
import { decideJob } from './job.ts';
import { sessionJobCase } from './job-case.ts';

/** What happens next to a FlinkSessionJob. */
export function decideSessionJob(view: SessionJobView): Decision {
  const job = sessionJobCase(view);
  return job ? decideJob(job) : idle('there is no job in the spec');
}
