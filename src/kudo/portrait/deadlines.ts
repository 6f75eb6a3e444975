import type { Deadline } from '../../portrait/portrait.ts';
import { nextRepair } from '../decide/repair.ts';
import type { Read } from './instance-in.ts';
import { situationOf, waitingOf } from './situation.ts';
import { instantOf } from './wording.ts';

/** How long a plan may take before it gives way to a change that waits, where the Instance does not say. */
const defaultTimeoutSeconds = 600;

/** When something happens to an Instance by itself. */
export function deadlinesOf(read: Read, now: number): readonly Deadline[] {
  const situation = situationOf(read);
  const { spec, status } = read;
  if (situation.is === 'running' && waitingOf(read) !== undefined) {
    const seconds = spec.planTimeoutSeconds ?? defaultTimeoutSeconds;
    const began = instantOf(situation.execution.startedAt);
    if (seconds === 0 || began === undefined) return [];
    return at(began + seconds * 1000, `plan ${situation.execution.plan} gives way to the change that waits`);
  }
  if (situation.is !== 'drifted' || !situation.repairs) return [];
  const repair = nextRepair(status, now);
  return repair === undefined ? [] : at(repair, 'what others changed is set right again');
}

function at(instant: number, what: string): readonly Deadline[] {
  const date = new Date(instant);
  return Number.isNaN(date.getTime()) ? [] : [{ what, at: date.toISOString() }];
}
