import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../../kube/object.ts';
import type { Hook } from './admission.ts';
import type { AdmissionRequest } from './admission-review.ts';
import { withoutKinds } from './without-kinds.ts';

const hooks: Readonly<Record<string, Hook>> = {
  '/validate': { validate: () => ({ allowed: false, message: 'no', warnings: ['careful'] }) },
  '/mutate': { mutate: ({ object }) => ({ allowed: true, object: { ...object, spec: {} }, warnings: ['changed'] }) },
};

const asked = (kind: string): AdmissionRequest & { readonly object: AnyObject } => ({
  uid: '1',
  operation: 'CREATE',
  kind: { group: 'toy', version: 'v1', kind },
  user: 'ann',
  dryRun: false,
  object: { apiVersion: 'toy/v1', kind, metadata: { name: 'one' } },
});

/** What every hook says of a kind. */
async function verdicts(off: readonly string[], kind: string): Promise<readonly unknown[]> {
  const all = Object.values(withoutKinds(hooks, off));
  return Promise.all(all.map((hook) => ('validate' in hook ? hook.validate(asked(kind)) : hook.mutate(asked(kind)))));
}

describe('withoutKinds', () => {
  it('lets a kind that is off through as it is, without a warning', async () => {
    expect(await verdicts(['lamp'], 'Lamp')).toEqual([
      { allowed: true },
      { allowed: true, object: asked('Lamp').object },
    ]);
  });

  it.each([[['lamp']], [[]]])('judges every other kind as before, with %j off', async (off) => {
    expect(await verdicts(off, 'LampShade')).toEqual([
      { allowed: false, message: 'no', warnings: ['careful'] },
      { allowed: true, object: { ...asked('LampShade').object, spec: {} }, warnings: ['changed'] },
    ]);
  });
});
