import type { FamilyProblem } from '../../portrait/family.ts';
import type { FieldChange, Plan } from '../../portrait/plan.ts';
import type { Subject } from '../../portrait/subject.ts';
import { counted } from './wording.ts';

/** The plan of an edit that changes nothing. */
export function nothingChanges(subject: Subject): Plan {
  return {
    subject,
    risk: 'none',
    line: 'nothing changes',
    changes: [],
    steps: [],
    restarts: [],
    state: { outcome: 'kept', sentence: 'Nothing is touched.' },
    availability: { serves: 'throughout', sentence: 'Nothing is touched.' },
    undo: { possible: true, sentence: 'There is nothing to undo.' },
    warnings: [],
    problems: [],
  };
}

/** The plan of an edit that is refused: nothing happens. */
export function refusedPlan(
  subject: Subject,
  changes: readonly FieldChange[],
  problems: readonly FamilyProblem[],
): Plan {
  const [first] = problems;
  return {
    ...nothingChanges(subject),
    line: `refused, ${counted(problems.length, 'problem')}: ${first?.field ?? 'spec'}`,
    changes,
    state: { outcome: 'kept', sentence: 'The edit is refused: what is deployed goes on as it is.' },
    availability: { serves: 'throughout', sentence: 'The edit is refused: what is deployed goes on as it is.' },
    problems,
  };
}
