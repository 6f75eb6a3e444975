import type { Status } from '../status.ts';
import type { Step } from '../step.ts';
import { enter, type Moving } from './advance.ts';
import { cancelling } from './cancelling.ts';
import { stopping } from './stopping.ts';

/** The old job is being brought to an end. */
export function suspending(c: Moving): Step<Status> {
  switch (c.status.transition.stop.mode) {
    case 'none':
    case 'last-state':
      return enter(c, 'clearing');
    case 'stateless':
    case 'cancel':
      return cancelling(c);
    case 'savepoint':
      return stopping(c);
  }
}
