import { cleanupFinalizer } from './keys.ts';
import { instance } from './resources/instance.ts';

/** Every finalizer of the family, and the kind it is put on: an uninstall takes them off. */
export const kudoFinalizers = [{ type: instance.type, finalizer: cleanupFinalizer }] as const;
