import type { AnyObject, Status } from '../../kube/object.ts';
import type { Outcome } from './ground.ts';
import { outcomeOfObject } from './versions.ts';

/** "It is done", where there is no object to show. */
export function success(code: number, details?: Status['details'], shownCode?: number): Outcome {
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    ...(details && { details }),
    ...(shownCode !== undefined && { code: shownCode }),
  };
  return outcomeOfObject(code, status as unknown as AnyObject);
}
