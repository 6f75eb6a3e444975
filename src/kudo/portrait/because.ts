import type { Execution } from '../resources/instance.ts';
import { names } from './wording.ts';

/** Why a plan runs or ran, as the end of a sentence: `CURRENCY changed`. */
export function becauseOf({ cause, changed = [] }: Partial<Pick<Execution, 'cause' | 'changed'>>): string {
  const parameters = changed.length > 0 ? `${names(changed)} changed` : '';
  switch (cause) {
    case 'install':
      return 'the Instance was created';
    case 'upgrade':
      return `its operator version changed${parameters && `, and ${parameters}`}`;
    case 'trigger':
      return 'somebody triggered it';
    case 'cleanup':
      return 'the Instance was deleted';
    case 'repair':
      return 'others had changed its objects';
    default:
      return parameters || 'its parameters changed';
  }
}

/** Whether an execution demands that pods restart. An installation finds none that could. */
export function restartsPods({ cause, restartUID }: Partial<Pick<Execution, 'cause' | 'restartUID'>>): boolean {
  return restartUID !== undefined && cause !== 'install';
}
