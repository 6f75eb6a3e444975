import { describe, expect, it } from 'vitest';
import { silent } from '../../src/control/log.ts';
import { type FlinkDeploymentStatus, flinkDeployment } from '../../src/flink/resources/flink-deployment.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import { instance } from '../../src/kudo/resources/instance.ts';
import { grantFlink } from '../flink/grant-flink.ts';
import { application } from '../flink/manifests.ts';
import { demoPackage } from '../kudo/demo-package.ts';
import { object } from '../kudo/kudo-stage.ts';
import { account } from '../stage/account.ts';
import { FleetStage, home } from './fleet-stage.ts';

const group = 'rbac.authorization.k8s.io';

/** Everything in some namespaces, nothing in the cluster. */
async function grantIn(
  stage: FleetStage,
  namespaces: readonly string[],
  resources: readonly string[] = ['*'],
): Promise<void> {
  for (const namespace of namespaces) {
    const name = resources[0] === '*' ? 'cutover' : 'cutover-part';
    const metadata = { namespace, name };
    const rules = [{ apiGroups: ['*'], resources, verbs: ['*'] }];
    const subjects = [{ kind: 'ServiceAccount', namespace: home, name: 'cutover' }];
    const roleRef = { apiGroup: group, kind: 'Role', name };
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

  it('works in those that it may read when another is gone with its Role, and in that one once it is there again', async () => {
    await using stage = await FleetStage.open();
    await grantIn(stage, ['default', home]);
    const warned: string[] = [];
    const operator = stage.start({
      user: account(home, 'cutover'),
      namespaces: ['team-b', 'default'],
      log: { ...silent, child: () => ({ ...silent, warn: (_, message) => void warned.push(message) }) },
    });
    await grantFlink(stage.person, 'team-b');
    for (const namespace of ['default', 'team-b'])
      await stage.apply(inNamespace(application({ name: 'orders' }), namespace));
    await stage.until('it works', () => stage.isStable('default', 'orders'));
    expect(warned).toContain(
      'nothing is done in the namespace team-b until it may be read: it is gone, or has no Role for the operator',
    );

    // It sees the job now, but not what the job has: it must not take that for absent, and says so.
    await grantIn(stage, ['team-b'], ['flinkdeployments', 'flinkdeployments/status']);
    await stage.clock.advance(5 * 60_000);
    const status = () => stage.find(flinkDeployment.type, 'team-b', 'orders')?.status as FlinkDeploymentStatus;
    expect(status()).toEqual({ conditions: [expect.objectContaining({ type: 'NotReadable', reason: 'Forbidden' })] });

    await grantIn(stage, ['team-b']);
    await stage.until('it works there too', () => stage.isStable('team-b', 'orders'));
    expect(status().conditions?.find(({ type }) => type === 'NotReadable')?.status ?? 'False').toBe('False');
    await operator.stop();
  });
});
