import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../src/kube/object.ts';
import { instance } from '../../src/kudo/resources/instance.ts';
import { application } from '../flink/manifests.ts';
import { demoPackage } from '../kudo/demo-package.ts';
import { object } from '../kudo/kudo-stage.ts';
import { account } from '../stage/account.ts';
import { FleetStage, home } from './fleet-stage.ts';

const group = 'rbac.authorization.k8s.io';

/** Everything in some namespaces, nothing in the cluster. */
async function grantIn(stage: FleetStage, namespaces: readonly string[]): Promise<void> {
  for (const namespace of namespaces) {
    const metadata = { namespace, name: 'cutover' };
    const rules = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];
    const subjects = [{ kind: 'ServiceAccount', namespace: home, name: 'cutover' }];
    const roleRef = { apiGroup: group, kind: 'Role', name: 'cutover' };
    await stage.apply({ apiVersion: `${group}/v1`, kind: 'Role', metadata, rules } as KubeObject);
    await stage.apply({ apiVersion: `${group}/v1`, kind: 'RoleBinding', metadata, roleRef, subjects } as KubeObject);
  }
}

const inNamespace = (object: KubeObject, namespace: string): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, namespace },
});
const version = object('OperatorVersion', 'demo-0.1.0', {
  operator: { name: 'demo' },
  version: '0.1.0',
  ...demoPackage,
});
const demo = object('Instance', 'demo', { operatorVersion: { name: 'demo-0.1.0' } });

describe('an operator that looks at some namespaces only', () => {
  it('works with Roles in these and no right in the cluster, and asks for nothing else', async () => {
    await using stage = await FleetStage.open();
    await grantIn(stage, ['default', 'team-b', home]);
    const asked: string[] = [];
    const operator = stage.start({
      user: account(home, 'cutover'),
      namespaces: ['default', 'team-b'],
      onRequest: ({ method, path }) => void asked.push(`${method} ${path}`),
    });
    await stage.apply(application({ name: 'orders' }));
    for (const each of [version, demo]) await stage.apply(inNamespace(each, 'team-b'));
    await stage.until('both families work', () => {
      return stage.isStable('default', 'orders') && stage.isDeployed('team-b', 'demo');
    });

    const outside = asked.filter((request) => !/ \/apis?\/.*\/namespaces\/(default|team-b|operators)\//.test(request));
    // What says which fields the server keeps is in no namespace; the answer was no, and nothing waited for it.
    expect([...new Set(outside.map((request) => request.replace(/\?.*/, '')))]).toEqual([
      'GET /apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    ]);
    await operator.stop();
  });

  it('does nothing about others', async () => {
    await using stage = await FleetStage.open();
    const operator = stage.start({ namespaces: ['team-b'] });
    await stage.apply(application({ name: 'orders' }));
    for (const each of [version, demo]) await stage.apply(each);
    for (const each of [version, demo]) await stage.apply(inNamespace(each, 'team-b'));
    await stage.until('its own', () => stage.isDeployed('team-b', 'demo'));
    await stage.clock.advance(60_000);
    expect(stage.find(instance.type, 'default', 'demo')?.status).toBeUndefined();
    expect(stage.writes.filter((write) => write.includes('/namespaces/default/'))).toEqual([]);
    await operator.stop();
  });
});
