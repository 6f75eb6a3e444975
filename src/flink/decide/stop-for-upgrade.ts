import { availability } from './availability.ts';
import { withWayToJobManager } from './dependents.ts';
import { errorText } from './error-text.ts';
import type { JobCase } from './job-case.ts';
import { told, warned } from './reasons.ts';
import { situation } from './situation.ts';
import type { Status } from './status.ts';
import type { Effect, Step } from './step.ts';
import { begin } from './transition/begin.ts';

/** The job is to be stopped and to go on with another spec: begun, if its state can be taken along now. */
export function stopForUpgrade(c: JobCase, because: string, events: readonly Effect[]): Step<Status> {
  const found = availability(situation(c));
  switch (found.can) {
    case 'wait':
      return upgradeWaits(c, events, found.why, found.until);
    case 'not':
      return impossible(c, events, found.why);
    case 'stop': {
      const suspended = found.stop === 'none' ? [] : [told(c.resource, 'Suspended', 'Suspending existing deployment.')];
      return begin(c, { cause: 'spec-change', because, ...found, events: [...events, ...suspended] });
    }
  }
}

/** Not now, but as soon as it can be: until then Flink must be able to tell. */
export function upgradeWaits(c: JobCase, effects: readonly Effect[], why: string, until?: number): Step<Status> {
  return withWayToJobManager(c, {
    status: c.status,
    effects,
    because: `The upgrade waits: ${why}.`,
    ...(until !== undefined && { wakeAt: until }),
    stands: { is: 'waiting', reason: 'SpecChanged' },
  });
}

function impossible(c: JobCase, events: readonly Effect[], why: string): Step<Status> {
  const error = errorText(c.config, 'upgrade', why);
  const said = c.resource.status?.error === error;
  return {
    status: { ...c.status, error },
    effects: [...events, ...(said ? [] : [warned(c.resource, 'UpgradeFailed', why)])],
    because: why,
    stands: { is: 'stalled', reason: 'UpgradeFailed' },
  };
}
