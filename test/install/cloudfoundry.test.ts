import { describe, expect, it } from 'vitest';
import { installation } from '../../src/cloudfoundry/install/installation.ts';
import { defaultSettings } from '../../src/cloudfoundry/settings.ts';
import type { AnyObject, JsonObject } from '../../src/kube/object.ts';
import { release, rendered, the } from './rendered.ts';

/** What the family says that an installation needs, without the operator's own role, which the chart makes of all parts. */
function needed(settings: Partial<typeof defaultSettings>): readonly AnyObject[] {
  const admins = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'cf-admin' }];
  return (installation({ ...defaultSettings, ...settings }, { admins }) as readonly AnyObject[]).filter(
    ({ metadata }) => metadata.name !== 'cutover-cloudfoundry',
  );
}

/** Without what a chart adds to every object. */
function bare(object: AnyObject): AnyObject {
  const { labels: _, annotations = {}, ...metadata } = object.metadata;
  const { 'helm.sh/resource-policy': __, ...own } = annotations;
  return { ...object, metadata: { ...metadata, ...(Object.keys(own).length > 0 && { annotations: own }) } };
}

describe('the chart with Cloud Foundry', () => {
  it.each<[string, JsonObject]>([
    ['with all defaults', {}],
    ['with other names', { rootNamespace: 'root', defaultDomain: 'apps.test', runnerName: 'other-runner' }],
  ])('makes what the family needs to begin %s', (_, settings) => {
    const all = rendered({
      families: { flink: false, cloudfoundry: true },
      cloudfoundry: { settings, root: { admins: [{ kind: 'User', name: 'cf-admin' }] } },
    });
    const { data } = the<{ data: Readonly<Record<string, string>> }>(all, 'ConfigMap', 'cutover-cf-root');
    const later = JSON.parse(data['objects.json'] ?? '') as readonly AnyObject[];
    const made = [...all.objects.map(bare), ...later];
    for (const object of needed(settings)) {
      const same = made.filter(
        ({ kind, metadata }) =>
          kind === object.kind &&
          metadata.name === object.metadata.name &&
          metadata.namespace === object.metadata.namespace,
      );
      expect(same, `${object.kind} ${object.metadata.name}`).toEqual([object]);
    }
  });

  it('keeps the root namespace and its accounts when the release goes', () => {
    const all = rendered({ families: { cloudfoundry: true } });
    const kept = all.objects.filter(({ metadata }) => metadata.annotations?.['helm.sh/resource-policy'] === 'keep');
    expect(kept.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      'Namespace cf',
      'ServiceAccount korifi-app',
      'ServiceAccount korifi-task',
    ]);
  });

  it('lets the operator at Secrets of the root namespace, by the role that it binds elsewhere itself', () => {
    const all = rendered({ families: { cloudfoundry: true } });
    expect(the(all, 'RoleBinding', 'cutover-operator')).toMatchObject({
      metadata: { namespace: 'cf' },
      roleRef: { kind: 'ClusterRole', name: 'cutover-cloudfoundry-places' },
      subjects: [{ kind: 'ServiceAccount', name: 'cutover', namespace: release.namespace }],
    });
  });
});
