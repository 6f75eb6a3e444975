import { type Availability, availability } from '../availability.ts';
import { situation } from '../situation.ts';
import type { Status } from '../status.ts';
import type { Step } from '../step.ts';
import { enter, type Moving } from './advance.ts';
import { lost } from './lost.ts';

/** The job is no longer as it was when its end was planned: what can be done about it now? */
export function reconsider(c: Moving, found: Availability = availability(situation(c))): Step<Status> {
  const { stop, restore, cause } = c.status.transition;
  if (cause === 'deletion') {
    const { jobId } = stop;
    return enter(c, 'suspending', { stop: { mode: 'stateless', ...(jobId !== undefined && { jobId }) } });
  }
  if (found.can === 'not') return lost(c, found.why);
  if (found.can === 'stop' && found.stop !== stop.mode) {
    const { jobId, askedAt, failures } = stop;
    const next = {
      mode: found.stop,
      ...(jobId !== undefined && { jobId }),
      ...(askedAt !== undefined && { askedAt }),
      ...(failures !== undefined && { failures }),
    };
    return enter(c, 'suspending', { stop: next, restore: { ...restore, ...found.restore } });
  }
  const because = found.can === 'wait' ? found.why : 'the job is about to be stopped';
  return {
    status: c.status,
    effects: [],
    because: `The upgrade waits: ${because}.`,
    ...(found.can === 'wait' && found.until !== undefined && { wakeAt: found.until }),
    stands: { is: 'waiting', reason: 'UpgradeFailed' },
  };
}
