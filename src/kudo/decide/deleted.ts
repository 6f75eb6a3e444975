import {
  type Action,
  type Decision,
  type EventAction,
  idle,
  refTo,
  type VersionedRef,
} from '../../control/decision.ts';
import { removeFinalizer } from '../../control/finalizers.ts';
import { cleanupFinalizer, specialPlans } from '../keys.ts';
import type { InstanceStatus } from '../resources/instance.ts';
import { remembered } from './acceptance.ts';
import { advance } from './advance.ts';
import { barredBy, decideBarred } from './barred.ts';
import { begin } from './execution.ts';
import { imported } from './imported.ts';
import { working, written } from './instance.ts';
import { readLetter } from './letter.ts';
import { planOf } from './plan-of.ts';
import { refusedWhileDeleted } from './refused-while-deleted.ts';
import { rest } from './rest.ts';
import type { InstanceView } from './view.ts';

/**
 * An Instance that is being deleted: its plan `cleanup` runs, whatever ran before, and when it is complete the Instance may
 * go, and with it all that it owns. When the plan fails, the Instance stays, and says how to go on.
 */
export function decideDeleted(view: InstanceView): Decision {
  const { instance, versions, now } = view;
  const release = removeFinalizer(instance, cleanupFinalizer);
  if (!release) return idle('it is being deleted, and nothing keeps it');
  const barred = barredBy(view);
  if (barred !== undefined) return decideBarred(view, barred);
  const about = refTo(instance);
  // What it runs by, if it ever ran: a version that is only wanted knows nothing of what is there.
  const version = instance.status?.accepted ? versions.accepted : versions.wanted;
  if (!version) return skipped('its OperatorVersion is gone, and the plan cleanup with it', release, about);
  if (!planOf(version, specialPlans.cleanup)) {
    return { actions: [release], because: 'the Instance may go: it has no plan cleanup' };
  }
  const { status, events } = refusedWhileDeleted(imported(view), view, about);
  const { execution, history = [] } = status;
  if (execution?.cause === 'cleanup') {
    // What cannot be worked on any more must not keep the Instance for ever.
    if (!versions.accepted)
      return skipped('the OperatorVersion that its plan cleanup ran with is gone', release, about);
    const next = advance({ ...status, execution }, view, about);
    return working(view, { ...next, events: [...events, ...next.events] });
  }
  const [last] = history;
  if (last?.cause === 'cleanup' && last.outcome === 'COMPLETE') {
    return { actions: [release], because: 'the plan cleanup is complete: the Instance may go' };
  }
  const letter = readLetter({ ...instance, status });
  const again = letter.is === 'run' && letter.plan === specialPlans.cleanup;
  if (last?.cause === 'cleanup' && !again) return stuck(status, events, view);
  const wanted = instance.spec.operatorVersion ?? {};
  const accepted = {
    operatorVersion: versions.accepted ? (status.accepted?.operatorVersion ?? wanted) : wanted,
    parameters: status.accepted?.parameters ?? {},
  };
  const beginning = { plan: specialPlans.cleanup, cause: 'cleanup', changed: [], forced: false, accepted } as const;
  const begun = begin(status, beginning, {
    instanceUid: about.uid,
    generation: instance.metadata.generation ?? 0,
    version,
    now,
  });
  const note = `Execution of plan ${specialPlans.cleanup} started`;
  const event: EventAction = { do: 'event', about, reason: 'PlanStarted', note };
  const kept = again ? { ...begun, letter: remembered(letter, false) } : begun;
  return written(view, kept, [], [event], 'the Instance is being deleted: its plan cleanup begins');
}

function skipped(note: string, release: Action, about: VersionedRef): Decision {
  const event: EventAction = { do: 'event', about, reason: 'CleanupSkipped', note, warning: true };
  return { actions: [release, event], because: `the Instance may go: ${note}` };
}

/** The plan failed. A person has to look at it; nothing is lost meanwhile. */
function stuck(status: InstanceStatus, events: readonly EventAction[], view: InstanceView): Decision {
  const { conditions } = rest(status, view);
  const way = 'mend it and run the plan cleanup again, or remove the finalizer kudo.dev.instance.cleanup to do without';
  const because = `the plan cleanup failed: ${way}`;
  return working(view, { status: { ...status, conditions: [...conditions] }, actions: [], events, because });
}
