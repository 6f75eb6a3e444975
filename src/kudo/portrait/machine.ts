import type { Machine } from '../../portrait/portrait.ts';
import { own } from '../graph/own.ts';
import { lastEnded } from './ended.ts';
import type { Read } from './instance-in.ts';
import { progressOf } from './progress.ts';

const states = ['NEVER_RUN', 'PENDING', 'IN_PROGRESS', 'ERROR', 'COMPLETE', 'FATAL_ERROR'] as const;

/** How plans go from one status to the next, with that of the plan that runs or ran last marked. */
export function machineOf({ status }: Read): Machine {
  const plan = status.execution?.plan ?? lastEnded(status)?.plan;
  const known = plan === undefined ? undefined : own(status.planStatus, plan)?.status;
  // A step that fails and is tried again leaves its plan in progress; people want to see that it fails.
  const fails = plan !== undefined && status.execution && progressOf(status, plan).failing?.status === 'ERROR';
  const current = fails ? 'ERROR' : (known ?? 'NEVER_RUN');
  return {
    states: states.map((name) => ({ name, current: name === current })),
    edges: [
      { from: 'NEVER_RUN', to: 'PENDING', label: 'asked for' },
      { from: 'PENDING', to: 'IN_PROGRESS', label: 'begins' },
      { from: 'IN_PROGRESS', to: 'COMPLETE', label: 'all steps done' },
      { from: 'IN_PROGRESS', to: 'ERROR', label: 'a step fails' },
      { from: 'ERROR', to: 'IN_PROGRESS', label: 'tried again' },
      { from: 'ERROR', to: 'FATAL_ERROR', label: 'given up' },
      { from: 'IN_PROGRESS', to: 'FATAL_ERROR', label: 'fails for good, or is stopped' },
      { from: 'COMPLETE', to: 'IN_PROGRESS', label: 'runs again' },
      { from: 'FATAL_ERROR', to: 'IN_PROGRESS', label: 'runs again' },
    ],
  };
}
