import { identityVariants } from './identity.ts';
import { memoryVariants } from './memory.ts';
import { orderVariants } from './order.ts';
import type { Variant } from './variant.ts';

/** Every mistake that the explorer is known to find. */
export const variants: readonly Variant[] = [...orderVariants, ...memoryVariants, ...identityVariants];
