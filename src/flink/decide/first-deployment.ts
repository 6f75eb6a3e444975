import type { JobCase } from './job-case.ts';
import { noncesIn } from './nonces.ts';
import type { Status } from './status.ts';
import type { Step } from './step.ts';
import { begin } from './transition/begin.ts';

/** Nothing was deployed yet. Nonces that are there from the start ask for nothing. */
export function firstDeployment(c: JobCase): Step<Status> | undefined {
  if (c.recorded || c.status.reconciliationStatus?.lastReconciledSpec !== undefined) return undefined;
  const { initialSavepointPath: path, state } = c.spec.job;
  if (state === 'suspended') {
    return {
      status: { ...c.status, observedGeneration: c.generation },
      effects: [],
      because: 'The job is suspended from the start: nothing is deployed.',
      stands: { is: 'ready', reason: 'Suspended' },
    };
  }
  const known = { ...c, status: { ...c.status, nonces: { ...c.status.nonces, ...noncesIn(c.spec) } } };
  return begin(known, {
    cause: 'first-deployment',
    because: path ? `The job is deployed for the first time, from ${path}.` : 'The job is deployed for the first time.',
    stop: 'none',
    restore: path ? { mode: 'savepoint', path } : { mode: 'stateless' },
    events: [],
  });
}
