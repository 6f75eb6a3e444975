import * as z from 'zod';
import type { Demand } from '../../schema/demand.ts';

/**
 * A number that acts when it changes. Removing it is no change: null never triggers. What it is compared with is the
 * last value acted upon (`status.nonces`), which outlives its removal from the spec.
 */
export function nonce(demands: Demand, description: string): z.ZodOptional<z.ZodInt> {
  return z
    .int()
    .optional()
    .meta({ description, change: { demands, ignoreAbsent: 'after' } });
}

/** As `nonce`, but the upstream lists its removal too; it demands nothing, so nothing comes of it. */
export function ignorableNonce(description: string): z.ZodOptional<z.ZodInt> {
  return z.int().optional().meta({ description, change: 'nothing' });
}
