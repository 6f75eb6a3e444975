import { cloudFoundryDeclaredHooks } from '../cloudfoundry/admission/declared-hooks.ts';
import type { DeclaredHook } from '../control/webhooks/declared-hook.ts';
import { flinkDeclaredHooks } from '../flink/declared-hooks.ts';
import { kudoDeclaredHooks } from '../kudo/admission/declared-hooks.ts';
import type { FamilyName } from './families.ts';

/** What every family wants to be asked about when something is written. */
export const declaredHooks: Readonly<Record<FamilyName, readonly DeclaredHook[]>> = {
  flink: flinkDeclaredHooks,
  cloudfoundry: cloudFoundryDeclaredHooks,
  kudo: kudoDeclaredHooks,
};
