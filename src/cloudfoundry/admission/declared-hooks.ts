import type { DeclaredHook } from '../../control/webhooks/declared-hook.ts';
import { cloudFoundryKinds } from '../resources/all.ts';

/** What people and pipelines write. Workloads are written by the controllers alone, which obey the rules by themselves. */
const types = cloudFoundryKinds.map(({ type }) => type).filter(({ kind }) => kind.startsWith('CF'));
const written = { types, operations: ['CREATE', 'UPDATE'] } as const;

/** What `cloudFoundryHooks` is asked about. */
export const cloudFoundryDeclaredHooks: readonly DeclaredHook[] = [
  { name: 'mutate.cloudfoundry.cutover.dev', path: '/cloudfoundry/mutate', kind: 'mutating', ...written },
  { name: 'validate.cloudfoundry.cutover.dev', path: '/cloudfoundry/validate', kind: 'validating', ...written },
];
