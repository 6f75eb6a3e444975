import * as z from 'zod';
import { keyedList } from './types.ts';

/** `metav1.Condition`, one per type. */
export const conditions = keyedList(
  z.object({
    type: z.string().max(316),
    status: z.enum(['True', 'False', 'Unknown']),
    observedGeneration: z.int().optional(),
    lastTransitionTime: z.string().describe('When the status last flipped.'),
    reason: z.string().max(1024),
    message: z.string().max(32_768),
  }),
  'type',
).optional();
