import type { PlannedStep } from '../../../portrait/plan.ts';
import type { SpecChange } from '../../resources/spec-change.ts';
import type { Transition } from '../../resources/transition.ts';
import { sentence } from '../wording.ts';
import { type EditCase, isSuspended, needsOf, type Outcome } from './edit-case.ts';
import type { JobLook } from './job-look.ts';
import { restoreText, thing } from './moments.ts';
import { redone, restartsOf, stateOf, undoOf } from './redone.ts';

/** What comes of a decision, in words. */
export function outcomeOf(c: EditCase): Outcome {
  const { before, change, found } = c;
  if (!before) return created(c);
  if (found.begun && found.transition) {
    return found.transition.phase === 'rescaling' ? rescaled(c) : redone(c, before, found.transition);
  }
  if (before.transition && change && demandsMore(change)) return takenAlong(c, before, before.transition);
  if (found.scales) return rescaled(c);
  if (isSuspended(before) && isSuspended(c.after)) return asleep(c);
  return change && demandsMore(change) ? waiting(c, before) : quiet(c);
}

function demandsMore({ demands }: SpecChange): boolean {
  return demands !== 'nothing' && demands !== 'patch';
}

function created({ after, found, operator }: EditCase): Outcome {
  const needs = needsOf(after, operator);
  const suspended = isSuspended(after);
  const from = found.transition ? restoreText(found.transition) : 'without state';
  const steps: readonly PlannedStep[] = suspended
    ? [{ symbol: '·', what: 'Nothing is started: the job is to be suspended' }]
    : after.is === 'session job'
      ? [{ symbol: '+', what: `Submit the job to its session cluster, ${from}` }]
      : [
          { symbol: '+', what: `Create the cluster ${after.subject.name}`, ...(needs && { detail: needs }) },
          ...(after.is === 'application' ? [{ symbol: '·', what: `Start the job, ${from}` } as const] : []),
        ];
  return {
    risk: 'quiet',
    line: suspended ? 'is created suspended' : `is created; ${thing(after)} starts ${from}`,
    steps,
    restarts: [],
    state: { outcome: 'none', sentence: suspended ? 'There is no state yet.' : `It starts ${from}.` },
    availability: { serves: 'unknown', sentence: 'It serves as soon as it runs; nothing else is touched.' },
    ...(needs && !suspended && { extra: needs }),
    undo: { possible: true, sentence: 'Delete it; nothing was there before.' },
    warnings: found.warnings,
  };
}

function rescaled({ before, found }: EditCase): Outcome {
  return {
    risk: 'quiet',
    line: 'is scaled while it runs; nothing is restarted',
    steps: [{ symbol: '~', what: 'Scale it while it runs', detail: found.decision.because }],
    restarts: [],
    state: { outcome: 'kept', sentence: 'The state stays where it is.' },
    availability: { serves: before?.serves ? 'throughout' : 'unknown', sentence: 'It serves meanwhile.' },
    undo: { possible: true, sentence: 'Scale it back in the same way.' },
    warnings: found.warnings,
  };
}

/** A change is under way, and starts with the newest specification. */
function takenAlong(c: EditCase, before: JobLook, transition: Transition): Outcome {
  const early = transition.phase === 'suspending' || transition.phase === 'clearing';
  const what = early
    ? `The change under way (${transition.phase}) takes it along: the newest specification is started`
    : `Taken up when the change under way (${transition.phase}) has come far enough; the job is restarted for it then`;
  const state = stateOf(c, before, transition);
  return {
    risk: state.outcome === 'dropped' || before.serves ? 'disruption' : 'restart',
    line: early ? 'is taken along by the change under way' : 'waits for the change under way, then restarts once more',
    steps: [{ symbol: early ? '~' : '↻', what }],
    restarts: restartsOf(c),
    state,
    availability: { serves: before.serves ? 'interrupted' : 'unknown', sentence: 'A restart is under way already.' },
    undo: undoOf(c, before, state.outcome),
    warnings: c.found.warnings,
    ...(early ? {} : { waitsFor: 'the change under way' }),
  };
}

function asleep({ found }: EditCase): Outcome {
  return {
    risk: 'quiet',
    line: 'is taken up when the job is resumed',
    steps: [
      {
        symbol: '·',
        what: 'Nothing for now: the job is suspended',
        detail: 'The change takes effect when it is resumed.',
      },
    ],
    restarts: [],
    state: { outcome: 'kept', sentence: 'The state that it was suspended with is kept.' },
    availability: { serves: 'unknown', sentence: 'It does not serve: it is suspended.' },
    undo: { possible: true, sentence: 'Put the specification back.' },
    warnings: found.warnings,
  };
}

function waiting(c: EditCase, before: JobLook): Outcome {
  const why = sentence(c.found.decision.because);
  return {
    risk: 'disruption',
    line: 'waits, and then restarts it',
    steps: [{ symbol: '·', what: 'Nothing for now', detail: why }],
    restarts: [],
    state: { outcome: 'kept', sentence: 'Nothing is dropped while it waits.' },
    availability: {
      serves: before.serves ? 'throughout' : 'unknown',
      sentence: 'What is deployed goes on as it is until then.',
    },
    undo: { possible: true, sentence: 'Put the specification back: nothing was begun.' },
    waitsFor: why,
    warnings: c.found.warnings,
  };
}

function quiet({ before, found }: EditCase): Outcome {
  return {
    risk: 'quiet',
    line: 'takes effect without a restart',
    steps: [{ symbol: '~', what: 'Take it over; nothing is restarted' }],
    restarts: [],
    state: { outcome: 'kept', sentence: 'The state stays where it is.' },
    availability: {
      serves: before?.serves ? 'throughout' : 'unknown',
      sentence: before?.serves ? 'It serves on.' : 'It does not serve at present, and that does not change.',
    },
    undo: { possible: true, sentence: 'Put the specification back.' },
    warnings: found.warnings,
  };
}
