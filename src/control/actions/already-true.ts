import { nameOf } from '../../kube/resource.ts';
import type { Action } from '../decision.ts';
import { isApplied, stamped } from './apply.ts';
import { isThisCreation } from './create.ts';
import { type Hands, nameOfRef } from './hands.ts';
import { isLeaving } from './remove.ts';
import { isWritten } from './write-status.ts';

/** Whether the caches show that carrying the action out would send nothing: for those who only say what they would do. */
export function alreadyTrue(action: Action, { kinds, mirror }: Pick<Hands, 'kinds' | 'mirror'>): boolean {
  switch (action.do) {
    case 'apply':
    case 'create': {
      const { object } = action;
      const seen = mirror.peek(kinds(object.apiVersion, object.kind), nameOf(object));
      if (!seen) return false;
      return action.do === 'apply' ? isApplied(seen, stamped(object)) : isThisCreation(seen, object);
    }
    case 'status':
    case 'delete':
    case 'evict': {
      const { of } = action;
      const seen = mirror.peek(kinds(of.apiVersion, of.kind), nameOfRef(of));
      if (!seen) return false;
      return action.do === 'status' ? isWritten(seen, action) : isLeaving(seen, action);
    }
    case 'patch':
      return action.patch.length === 0;
    case 'event':
    case 'call':
      return false;
  }
}
