import type { Status } from '../status.ts';
import type { Step } from '../step.ts';
import type { Moving } from './advance.ts';

export function rescaling(c: Moving): Step<Status> {
  return { status: c.status, effects: [], because: 'The job is being rescaled.' };
}
