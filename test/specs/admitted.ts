import { expect } from 'vitest';
import type { flinkHooks } from '../../src/flink/family.ts';
import type { AnyObject } from '../../src/kube/object.ts';

type Hook = ReturnType<typeof flinkHooks>[string];

/** What a webhook says to a write; `undefined` lets it through. */
export async function admitted(
  hook: Hook | undefined,
  object: AnyObject,
  oldObject: AnyObject | undefined,
): Promise<string | undefined> {
  if (!hook || !('validate' in hook)) return expect.fail('there is no such webhook');
  const [group = '', version = ''] = object.apiVersion.split('/');
  const { name, namespace } = object.metadata;
  const verdict = await hook.validate({
    uid: 'review',
    operation: oldObject ? 'UPDATE' : 'CREATE',
    kind: { group, version, kind: object.kind },
    namespace,
    name,
    user: 'person',
    dryRun: false,
    object,
    oldObject,
  });
  return verdict.allowed ? undefined : verdict.message;
}
