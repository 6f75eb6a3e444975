import { harmless } from '../../portrait/text/harmless.ts';
import type { Execution, Instance } from '../resources/instance.ts';

/**
 * Tells how a plan goes on, one line per step that has another status than before. Says nothing twice; a new execution is told
 * from its beginning.
 */
export function narrator(
  write: (text: string) => void,
): (instance: Instance, execution: Pick<Execution, 'uid' | 'plan'>) => void {
  let uid: string | undefined;
  let told = new Map<string, string>();
  return ({ status }, execution) => {
    if (execution.uid !== uid) {
      uid = execution.uid;
      told = new Map();
      write(`plan ${harmless(execution.plan)} started\n`);
    }
    const plan = new Map(Object.entries(status?.planStatus ?? {})).get(execution.plan);
    // The plan may already run again: that is another story.
    if (plan?.uid !== undefined && plan.uid !== execution.uid) return;
    for (const phase of plan?.phases ?? []) {
      for (const step of phase.steps ?? []) {
        const name = `${execution.plan}.${phase.name}.${step.name}`;
        const now = `[${step.status}]${step.message ? ` (${step.message})` : ''}`;
        if (step.status === 'PENDING' || step.status === 'NEVER_RUN' || told.get(name) === now) continue;
        told.set(name, now);
        write(`step ${harmless(name)} ${harmless(now)}\n`);
      }
    }
  };
}
