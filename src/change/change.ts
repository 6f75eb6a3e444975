import { type Demand, demands } from '../schema/demand.ts';
import type { Json } from '../schema/json.ts';

/** One difference between two specs. */
export interface Change {
  /** `spec.job.parallelism`, `spec.configuration[a.b]`, `spec.rooms[name=kitchen].colour` */
  readonly path: string;
  /** The value before; undefined when there was none. Of a secret only `(secret)`. */
  readonly from: Json | undefined;
  /** The value after; undefined when there is none. Of a secret only `(secret)`. */
  readonly to: Json | undefined;
  readonly demands: Demand;
}

/** The strongest demand among changes; `nothing` when there are none. */
export function strongest(changes: readonly Pick<Change, 'demands'>[]): Demand {
  return changes.reduce<Demand>(
    (most, change) => (demands.indexOf(change.demands) > demands.indexOf(most) ? change.demands : most),
    'nothing',
  );
}
