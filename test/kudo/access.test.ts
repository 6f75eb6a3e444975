import { expect, it } from 'vitest';
import { policyRules } from '../../src/control/policy-rules.ts';
import { sealer } from '../../src/control/sealed.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import { kudoControllers } from '../../src/kudo/controllers.ts';
import { accessParts } from '../../src/main/access.ts';
import { account } from '../stage/account.ts';
import { demoPackage } from './demo-package.ts';
import { KudoStage } from './kudo-stage.ts';

const operator = { kind: 'ServiceAccount', namespace: 'cutover', name: 'cutover' };
const apiGroup = 'rbac.authorization.k8s.io';
const role = (name: string, rules: readonly object[]): KubeObject =>
  ({ apiVersion: `${apiGroup}/v1`, kind: 'ClusterRole', metadata: { name }, rules }) as KubeObject;

/** An operator that may do what the controller itself needs, and no more, beside the role of packages, which nobody has bound. */
async function withoutPackages(): Promise<KudoStage> {
  const stage = await KudoStage.open();
  const { core, kudo, kudoPackages } = accessParts;
  const rules = (['watched', 'home', 'cluster'] as const).flatMap((where) => policyRules([...core, ...kudo], where));
  await stage.apply(role('cutover', rules));
  await stage.apply(role('cutover-kudo-packages', policyRules(kudoPackages, 'watched')));
  const roleRef = { apiGroup, kind: 'ClusterRole', name: 'cutover' };
  const binding = { apiVersion: `${apiGroup}/v1`, kind: 'ClusterRoleBinding', metadata: { name: 'cutover' } };
  await stage.apply({ ...binding, roleRef, subjects: [operator] } as KubeObject);
  stage.start({ transport: stage.embedded.transport(account(operator.namespace, operator.name)) });
  await stage.version('demo-0.1.0', demoPackage);
  return stage;
}

const said = (stage: KudoStage): string | undefined =>
  stage.instance('one').status?.conditions?.find(({ type }) => type === 'AccessMissing')?.message;

it('an Instance says which right its plan waits for and how to give it, and goes on once it is given', async () => {
  await using stage = await withoutPackages();
  await stage.install('one');
  await stage.until('it says so', () => said(stage) !== undefined);
  expect(stage.condition('one', 'AccessMissing')).toBe('True Forbidden');
  const command =
    'kubectl create rolebinding cutover-kudo-packages -n default --clusterrole=cutover-kudo-packages --serviceaccount=cutover:cutover';
  expect(said(stage)).toMatch(
    /^plan deploy waits: the operator may not get (configmaps|services) in namespace default\./,
  );
  expect(said(stage)?.endsWith(command)).toBe(true);
  // For as long as it takes, and without haste.
  await stage.clock.advance(300_000);
  expect(said(stage)?.endsWith(command)).toBe(true);
  expect(stage.instance('one').status?.execution?.plan).toBe('deploy');
  const { length } = stage.writes;
  await stage.clock.advance(120_000);
  expect(stage.writes.length - length).toBeLessThan(25);

  // What the command does.
  await stage.apply({
    apiVersion: `${apiGroup}/v1`,
    kind: 'RoleBinding',
    metadata: { name: 'cutover-kudo-packages', namespace: 'default' },
    roleRef: { apiGroup, kind: 'ClusterRole', name: 'cutover-kudo-packages' },
    subjects: [operator],
  } as KubeObject);
  await stage.settled('one', 1);
  expect(stage.last('one')).toBe('deploy COMPLETE');
  expect(said(stage)).toBeUndefined();
});

it('an Instance says that a step may not make what its package brings, though it may look', async () => {
  await using stage = await withoutPackages();
  const reading = policyRules(accessParts.kudoPackages, 'watched').map((rule) => ({
    ...rule,
    verbs: rule.verbs.filter((verb) => ['get', 'list', 'watch'].includes(verb)),
  }));
  await stage.apply(role('looks', reading));
  await stage.apply({
    apiVersion: `${apiGroup}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: 'looks' },
    roleRef: { apiGroup, kind: 'ClusterRole', name: 'looks' },
    subjects: [operator],
  } as KubeObject);
  await stage.install('one');
  await stage.until('it says so', () => said(stage) !== undefined);
  expect(said(stage)).toContain('the operator may not patch configmaps in namespace default.');
  expect(stage.find(kinds.configMaps, 'one-config')).toBeUndefined();
});

it('an Instance whose OperatorVersion is where the operator may not read says so, and goes on once it may', async () => {
  await using stage = await KudoStage.open();
  await stage.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'lib' } } as KubeObject);
  const { core, kudo, kudoPackages } = accessParts;
  const watched = policyRules([...core, ...kudo, ...kudoPackages], 'watched');
  const around = (['home', 'cluster'] as const).flatMap((where) => policyRules([...core, ...kudo], where));
  await stage.apply(role('cutover', watched));
  await stage.apply(role('cutover-around', around));
  const bind = (kind: string, name: string, namespace?: string): Promise<unknown> =>
    stage.apply({
      apiVersion: `${apiGroup}/v1`,
      kind,
      metadata: { name, ...(namespace && { namespace }) },
      roleRef: { apiGroup, kind: 'ClusterRole', name },
      subjects: [operator],
    } as KubeObject);
  await bind('ClusterRoleBinding', 'cutover-around');
  await bind('RoleBinding', 'cutover', 'default');
  stage.start({
    transport: stage.embedded.transport(account(operator.namespace, operator.name)),
    controllers: ({ client }) =>
      kudoControllers({
        client,
        namespaces: ['default', 'lib'],
        seal: sealer(new Uint8Array(32)),
        randomBytes: (count) => new Uint8Array(count),
        waiterImage: 'busybox',
      }),
  });
  await stage.apply({
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'OperatorVersion',
    metadata: { name: 'demo-0.1.0', namespace: 'lib' },
    spec: { operator: { kind: 'Operator', name: 'demo' }, version: '0.1.0', ...demoPackage },
  } as KubeObject);
  await stage.install('one', { operatorVersion: { name: 'demo-0.1.0', namespace: 'lib' } });
  await stage.until('it says so', () => said(stage) !== undefined);
  expect(stage.condition('one', 'AccessMissing')).toBe('True VersionNotReadable');
  expect(said(stage)).toContain(
    '-n lib --clusterrole=cutover-operatorversions.kudo.dev --serviceaccount=cutover:cutover',
  );

  await bind('RoleBinding', 'cutover', 'lib');
  await stage.settled('one', 1);
  expect(stage.last('one')).toBe('deploy COMPLETE');
  expect(said(stage)).toBeUndefined();
});
