import type { Hook } from '../../control/webhooks/admission.ts';
import { findVersion, type Sources } from './find-version.ts';
import { instanceHook } from './instance-hook.ts';
import { versionHook } from './version-hook.ts';

/** What the admission server answers for KUDO's kinds, by path. That of Instances is KUDO's own. */
export function kudoHooks(sources: Sources): Readonly<Record<string, Hook>> {
  return {
    '/admit-kudo-dev-v1beta1-instance': instanceHook((name) => findVersion(name, sources)),
    '/admit-kudo-dev-v1beta1-operatorversion': versionHook,
  };
}
