import { cleanupFinalizer, kudoManagers } from './keys.ts';
import { instance } from './resources/instance.ts';

/** Every finalizer of the family, the kind it is put on, and who else puts it there: an uninstall takes ours off. */
export const kudoFinalizers = [{ type: instance.type, finalizer: cleanupFinalizer, others: kudoManagers }] as const;
