import type { AnyObject } from '../../kube/object.ts';
import type { Draft } from '../resource.ts';
import type { Fields } from '../schema/json.ts';

import { keep } from './draft.ts';

/**
 * The rule of every kind with a status subresource: on create the status is what the server says, whatever the user
 * sent, and an update of the main resource leaves it alone.
 */
export function withStatus(initial: () => Fields): {
  readonly generation: true;
  prepareForCreate(draft: Draft): void;
  prepareForUpdate(draft: Draft, before: AnyObject): void;
} {
  return {
    generation: true,
    prepareForCreate(draft) {
      draft.status = initial();
    },
    prepareForUpdate(draft, before) {
      keep(draft, before, 'status');
    },
  };
}
