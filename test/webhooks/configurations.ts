import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { InstalledHook } from '../../src/control/webhooks/installed-hook.ts';
import type { AnyObject } from '../../src/kube/object.ts';

/** An entry of the file that the chart is made of. */
export type Entry = InstalledHook & { readonly family: string };

export function entries(): readonly Entry[] {
  const file = join(import.meta.dirname, '../../charts/cutover/files/webhooks.yaml');
  return parse(readFileSync(file, 'utf8')) as readonly Entry[];
}

/** Where the webhooks are. */
export interface Place {
  readonly namespace: string;
  readonly service: string;
}

/** Both configurations, as an installation has them: nobody is trusted yet. */
export function configurations(
  { namespace, service }: Place,
  hooks: readonly Entry[] = entries(),
): readonly AnyObject[] {
  return (['validating', 'mutating'] as const).map((sort) => ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: sort === 'validating' ? 'ValidatingWebhookConfiguration' : 'MutatingWebhookConfiguration',
    metadata: { name: service },
    webhooks: hooks
      .filter(({ kind }) => kind === sort)
      .map(({ family: _, kind: __, path, ...hook }) => ({
        ...hook,
        clientConfig: { service: { namespace, name: service, path, port: 443 } },
        namespaceSelector: {
          matchExpressions: [
            { key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: [namespace, 'kube-system'] },
          ],
        },
      })),
  }));
}
