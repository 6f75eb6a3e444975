import type { Plan, PlannedRestart } from '../../../portrait/plan.ts';
import { counted, names } from '../wording.ts';
import type { Fate } from './consequences.ts';
import type { Starts } from './foresee.ts';

/** All that a plan does in one line: what it does to objects, and what that means for pods. */
export function lineOf(
  { execution, waitsFor, before }: Starts,
  fates: readonly Fate[],
  restarts: readonly PlannedRestart[],
  availability: Plan['availability'],
): string {
  const later = waitsFor === undefined ? '' : ' when the one that runs now has ended';
  const does = `plan ${execution.plan} runs${later}: it ${deedsOf(fates)}`;
  return before ? `${does}; ${podsText(restarts, availability)}` : does;
}

function deedsOf(fates: readonly Fate[]): string {
  const having = (does: Fate['does']): readonly Fate[] => fates.filter((fate) => fate.does === does);
  const objects = (verb: string, does: Fate['does'], more = ''): readonly string[] => {
    const { length } = having(does);
    return length > 0 ? [`${verb} ${counted(length, 'object')}${more}`] : [];
  };
  const gone = having('delete').map(({ kind, name }) => `${kind} ${name}`);
  const deeds = [
    ...objects('creates', 'create'),
    ...objects('changes', 'change'),
    ...objects('makes', 'renew', ' anew'),
    ...(gone.length > 0 ? [`deletes ${names(gone)}`] : []),
  ];
  return deeds.length > 0 ? names(deeds) : 'changes no object of its own';
}

function podsText(restarts: readonly PlannedRestart[], { serves, sentence }: Plan['availability']): string {
  if (serves === 'unknown') return sentence;
  if (restarts.length === 0) return serves === 'throughout' ? 'no pod restarts' : `${sentence}; no pod restarts`;
  const titles = restarts.map(({ kind, name }) => `${kind} ${name}`);
  const meanwhile = serves === 'interrupted' ? 'do not serve meanwhile' : 'serve all the while';
  return `pods of ${names(titles)} restart, and ${meanwhile}`;
}
