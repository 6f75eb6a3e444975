import type { FieldChange, Plan } from '../../../portrait/plan.ts';
import { names } from '../wording.ts';
import type { Starts } from './foresee.ts';

/** Whether and how what a plan does can be taken back. */
export function undoOf(changes: readonly FieldChange[], { execution, before }: Starts): Plan['undo'] {
  switch (execution.cause) {
    case 'install':
      return { possible: true, sentence: 'delete the Instance' };
    case 'upgrade':
      return {
        possible: true,
        sentence: `name ${before?.operatorVersion.name ?? 'the former version'} again, and a plan of that version runs; what the new one converts is not converted back`,
      };
    case 'parameters': {
      const former = changes
        .filter(({ path }) => path.startsWith('spec.parameters.'))
        .map(
          ({ path, from }) => `${path.slice('spec.parameters.'.length)} ${from === undefined ? 'unset' : `to ${from}`}`,
        );
      const again = execution.restartUID === undefined ? '' : ', and pods restart once more';
      return { possible: true, sentence: `set ${names(former)} again: a plan runs${again}` };
    }
    default:
      return { possible: false, sentence: 'what a plan has done is not undone by another run' };
  }
}
