import type { Strategy } from '../resource.ts';
import { fields, inside, keep } from './draft.ts';
import { validateBuiltIn } from './object-meta.ts';
import type { Namespace } from './objects/cluster.ts';
import { dns1123Label } from './syntax.ts';

/** What `spec.finalizers` holds until the namespace controller has emptied the namespace. */
export const namespaceFinalizer = 'kubernetes';

/**
 * Namespaces. Their finalizer lives in `spec.finalizers`, and a delete only sets `deletionTimestamp` and the phase
 * `Terminating` while it is there. Only a terminating namespace's finalizers may be taken away.
 */
export const namespaceStrategy: Strategy = {
  finalizers: [namespaceFinalizer],
  defaults(draft) {
    const { name } = draft.metadata;
    const labels = inside(draft.metadata, 'labels');
    if (labels && typeof name === 'string' && name) labels['kubernetes.io/metadata.name'] = name;
  },
  prepareForCreate(draft) {
    const own: unknown = fields(draft.spec)?.finalizers;
    const given: readonly unknown[] = Array.isArray(own) ? own : [];
    draft.spec = {
      ...fields(draft.spec),
      finalizers: given.includes(namespaceFinalizer) ? given : [...given, namespaceFinalizer],
    };
    draft.status = { phase: 'Active' };
  },
  prepareForUpdate(draft, before) {
    if (!before.metadata.deletionTimestamp) keep(draft, before, 'spec');
    keep(draft, before, 'status');
  },
  validate: (object, before) => validateBuiltIn(object, before, dns1123Label),
  fields: (object) => ({ 'status.phase': (object as unknown as Namespace).status?.phase ?? '' }),
};
