import type { DeclaredHook } from '../../control/webhooks/declared-hook.ts';
import { instance } from '../resources/instance.ts';
import { operatorVersion } from '../resources/operator-version.ts';

const operations = ['CREATE', 'UPDATE'] as const;

/** What `kudoHooks` is asked about. The name for Instances is KUDO's own: people know it from refusals. */
export const kudoDeclaredHooks: readonly DeclaredHook[] = [
  {
    name: 'instance-admission.kudo.dev',
    path: '/admit-kudo-dev-v1beta1-instance',
    kind: 'validating',
    types: [instance.type],
    operations,
  },
  {
    name: 'operatorversion-admission.kudo.dev',
    path: '/admit-kudo-dev-v1beta1-operatorversion',
    kind: 'validating',
    types: [operatorVersion.type],
    operations,
  },
];
