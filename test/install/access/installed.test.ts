import { describe, expect, it } from 'vitest';
import type { AnyObject, JsonObject } from '../../../src/kube/object.ts';
import { accessParts } from '../../../src/main/access.ts';
import { application } from '../../flink/manifests.ts';
import { demoPackage } from '../../kudo/demo-package.ts';
import { object } from '../../kudo/kudo-stage.ts';
import { FleetStage, home } from '../../replicas/fleet-stage.ts';
import { account } from '../../stage/account.ts';
import { everything, rendered } from '../rendered.ts';
import { type Asked, askedOf } from './asked.ts';
import { right, rightsIn, withCompanions } from './granted.ts';

interface Role extends AnyObject {
  readonly rules: readonly {
    readonly apiGroups: readonly string[];
    readonly resources: readonly string[];
    readonly verbs: readonly string[];
    readonly resourceNames?: readonly string[];
  }[];
}

interface Binding extends AnyObject {
  readonly roleRef: { readonly kind: string; readonly name: string };
  readonly subjects: readonly { readonly kind: string; readonly name: string }[];
}

function rolesOf(values: JsonObject): readonly AnyObject[] {
  const { objects } = rendered(values, { name: 'cutover', namespace: home });
  return objects.filter(({ apiVersion }) => apiVersion.startsWith('rbac.authorization.k8s.io/'));
}

describe('an operator with the roles of the chart', () => {
  it('works, and asks for nothing that it may not have', async () => {
    await using stage = await FleetStage.open();
    // Services have names only inside of a cluster.
    const values = { families: { kudo: true }, kudo: { packages: { bind: true } }, flink: { rest: 'proxy' } };
    for (const role of rolesOf(values)) {
      await stage.apply(role);
    }
    const asked: Asked[] = [];
    const operator = stage.start({
      user: account(home, 'cutover'),
      onRequest: (request) => void asked.push(...askedOf(request)),
    });
    await stage.apply(application({ name: 'orders' }));
    await stage.apply(
      object('OperatorVersion', 'demo-0.1.0', { operator: { name: 'demo' }, version: '0.1.0', ...demoPackage }),
    );
    await stage.apply(object('Instance', 'demo', { operatorVersion: { name: 'demo-0.1.0' } }));
    await stage.until('both families work', () => {
      return stage.isStable('default', 'orders') && stage.isDeployed('default', 'demo');
    });
    await operator.stop();
    // What every operator asks for is asked for; the same event again is a patch.
    const used = withCompanions(new Set(asked.map(right)));
    const unused = rightsIn(accessParts.core).filter((one) => !used.has(one));
    expect(unused.filter((one) => one !== 'patch events.k8s.io/events')).toEqual([]);
  });

  it('can list no Secrets in the whole cluster, whatever is switched on', () => {
    const all = rolesOf({ ...everything, kudo: { packages: { bind: true } } });
    const everywhere = new Set(
      (all as readonly Binding[])
        .filter(
          ({ kind, subjects }) => kind === 'ClusterRoleBinding' && subjects.some(({ name }) => name === 'cutover'),
        )
        .map(({ roleRef }) => roleRef.name),
    );
    expect([...everywhere].sort()).toEqual(['cutover', 'cutover-kudo-packages']);
    const rules = (all as readonly Role[])
      .filter(({ kind, metadata }) => kind === 'ClusterRole' && everywhere.has(metadata.name ?? ''))
      .flatMap((role) => role.rules);
    const secrets = rules.filter(({ resources }) => resources.some((one) => one === 'secrets' || one === '*'));
    const verbs = secrets.flatMap((rule) => rule.verbs);
    expect(verbs.filter((verb) => ['list', 'watch', 'deletecollection', '*'].includes(verb))).toEqual([]);
    // Without packages it has no right to any Secret outside of namespaces that it made.
    const plain = (rolesOf({ ...everything, kudo: { packages: { bind: false } } }) as readonly Role[]).filter(
      ({ kind, metadata }) => kind === 'ClusterRole' && metadata.name === 'cutover',
    );
    expect(plain.flatMap(({ rules: own }) => own).filter(({ resources }) => resources.includes('secrets'))).toEqual([]);
  });

  it('reaches Services through the API server only if it is told to go that way', () => {
    const reached = (rest: string, more: JsonObject = {}): readonly string[] =>
      (rolesOf({ ...more, flink: { rest } }) as readonly Role[])
        .filter(({ rules = [] }) => rules.some(({ resources }) => resources.some((one) => one.endsWith('/proxy'))))
        .map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    for (const way of ['', 'direct', 'https://gateway/{namespace}/{name}']) expect(reached(way)).toEqual([]);
    expect(reached('proxy')).toEqual(['ClusterRole cutover']);
    expect(reached('proxy', { watchNamespaces: ['one'] })).toEqual(['Role cutover-watched']);
    expect(reached('proxy', { families: { flink: false, kudo: true } })).toEqual([]);
  });

  it('gets what packages bring from a role of its own, which is bound only on demand', () => {
    const bound = (bind: boolean): readonly string[] =>
      (rolesOf({ families: { kudo: true }, kudo: { packages: { bind } } }) as readonly Binding[])
        .filter(({ kind, roleRef }) => kind.endsWith('Binding') && roleRef.name === 'cutover-kudo-packages')
        .map(({ kind }) => kind);
    expect(bound(false)).toEqual([]);
    expect(bound(true)).toEqual(['ClusterRoleBinding']);
    const roles = rolesOf({ families: { kudo: true } }).filter(({ kind }) => kind === 'ClusterRole');
    expect(roles.map(({ metadata }) => metadata.name)).toContain('cutover-kudo-packages');
  });
});
