import type { Around } from '../../../portrait/workload.ts';
import type { BlueGreenView } from '../../blue-green-view.ts';
import type { OperatorConfig } from '../../config/operator-config.ts';
import type { BlueGreenLook } from './blue-green-look.ts';
import type { Rehearsal } from './rehearsal.ts';

/** An edit and how it goes. */
export interface Rehearsed {
  /** Absent: it is to be created. */
  readonly before: BlueGreenLook | undefined;
  readonly after: BlueGreenLook;
  readonly start: BlueGreenView;
  readonly rehearsal: Rehearsal;
  /** How it would go without the edit. */
  readonly otherwise?: Rehearsal;
  readonly around: Around;
  readonly operator: OperatorConfig;
}
