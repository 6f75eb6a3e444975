import { operatorOptions } from '../config/operator-options.ts';
import { read } from '../config/option.ts';
import type { SpecChange } from '../resources/spec-change.ts';
import { availability, type Restore } from './availability.ts';
import { errorText } from './error-text.ts';
import { changeOf, type JobCase, type JobHolder } from './job-case.ts';
import { redeployAsked, withActedNonces } from './nonces.ts';
import { told, warned } from './reasons.ts';
import { redeploy } from './redeploy.ts';
import { rescale } from './rescale.ts';
import { situation, startedFrom } from './situation.ts';
import { isTakingSavepoint } from './snapshots/snapshots.ts';
import { specChangedEvents } from './spec-changed-events.ts';
import type { Status } from './status.ts';
import type { Step } from './step.ts';
import { begin } from './transition/begin.ts';

/** What the difference between the spec and what is deployed demands; nothing when there is none that matters. */
export function specChanged(c: JobCase): Step<Status> | undefined {
  if (!c.recorded) return undefined;
  const change = changeOf(c, withActedNonces(c.recorded.spec, c.status.nonces), c.spec);
  switch (change.demands) {
    case 'nothing':
    case 'patch':
      return undefined;
    case 'redeploy-without-state':
      return redeploy(c, 'stateless-redeploy', change);
    case 'redeploy-from-savepoint':
      return redeploy(c, 'savepoint-redeploy', change);
    case 'scale':
    case 'restart':
    case 'upgrade':
      return upgrade(c, c.recorded.spec, change);
  }
}

/** A redeploy nonce that changed while something else is under way does not wait for it. */
export function redeployMeanwhile(c: JobCase): Step<Status> | undefined {
  const cause = redeployAsked(c);
  if (!cause || !c.status.transition) return undefined;
  const from = withActedNonces(c.recorded?.spec ?? c.spec, c.status.nonces);
  return redeploy(c, cause, changeOf(c, from, c.spec));
}

function upgrade(c: JobCase, recorded: JobHolder, change: SpecChange): Step<Status> {
  const wanted = c.spec.job.state ?? 'running';
  const events = specChangedEvents(c, change);
  if (recorded.job.state === 'suspended') return wanted === 'suspended' ? asleep(c, events) : resume(c, events);
  if (isTakingSavepoint(c.status) && !read(c.config, operatorOptions.ignorePendingSavepoint)) {
    return waiting(c, events, 'a savepoint is being taken');
  }
  const inPlace = change.type === 'SCALE' ? rescale(c, recorded, events) : undefined;
  if (inPlace) return inPlace;
  const found = availability(situation(c));
  switch (found.can) {
    case 'wait':
      return waiting(c, events, found.why, found.until);
    case 'not':
      return impossible(c, events, found.why);
    case 'stop': {
      const suspended = found.stop === 'none' ? [] : [told(c.resource, 'Suspended', 'Suspending existing deployment.')];
      const because = wanted === 'suspended' ? 'The job is to be suspended.' : `The spec changed: ${change.text}.`;
      return begin(c, { cause: 'spec-change', because, ...found, events: [...events, ...suspended] });
    }
  }
}

/** A suspended job is changed when it is resumed. */
function asleep(c: JobCase, effects: Step<Status>['effects']): Step<Status> {
  return { status: c.status, effects, because: 'The job is suspended; the change takes effect when it is resumed.' };
}

function resume(c: JobCase, events: Step<Status>['effects']): Step<Status> {
  return begin(c, {
    cause: 'spec-change',
    because: 'The job is resumed.',
    stop: 'none',
    restore: resumeFrom(c),
    events,
  });
}

/**
 * What a suspended job goes on from: what its suspension recorded. Should the spec have become stateless meanwhile, nothing,
 * unless a savepoint redeploy was asked for during its suspension.
 */
function resumeFrom(c: JobCase): Restore {
  const [last] = c.status.history ?? [];
  const redeployed = last?.cause === 'savepoint-redeploy' && last.outcome === 'suspended';
  const stateless = (c.spec.job.upgradeMode ?? 'stateless') === 'stateless';
  return stateless && !redeployed ? { mode: 'stateless' } : startedFrom(c);
}

function waiting(c: JobCase, effects: Step<Status>['effects'], why: string, until?: number): Step<Status> {
  return {
    status: c.status,
    effects,
    because: `The upgrade waits: ${why}.`,
    ...(until !== undefined && { wakeAt: until }),
    stands: { is: 'waiting', reason: 'SpecChanged' },
  };
}

function impossible(c: JobCase, events: Step<Status>['effects'], why: string): Step<Status> {
  const error = errorText('upgrade', why);
  const said = c.resource.status?.error === error;
  return {
    status: { ...c.status, error },
    effects: [...events, ...(said ? [] : [warned(c.resource, 'UpgradeFailed', why)])],
    because: why,
    stands: { is: 'stalled', reason: 'UpgradeFailed' },
  };
}
