import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../../kube/object.ts';
import { runController } from '../controllers/loop.ts';
import { TestWorld } from '../controllers/test-world.ts';
import { roleAggregation } from './aggregate-roles.ts';
import type { PolicyRule } from './rules.ts';

const type = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRole',
  plural: 'clusterroles',
  namespaced: false,
};
const rule = (resource: string): PolicyRule => ({ verbs: ['get'], apiGroups: [''], resources: [resource] });
const role = (
  name: string,
  labels: Record<string, string>,
  rules: readonly PolicyRule[],
  more: object = {},
): AnyObject => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name, labels },
  rules,
  ...more,
});

describe('roleAggregation', () => {
  it('gives a role the rules of those it selects, each once, and follows them', async () => {
    const world = new TestWorld(1, [type]);
    const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { to: 'all' } }] };
    await world.create(type, role('all', { to: 'all' }, [], { aggregationRule }));
    await world.create(type, role('b', { to: 'all' }, [rule('pods'), rule('services')]));
    await world.create(type, role('a', { to: 'all' }, [rule('nodes'), rule('pods')]));
    await world.create(type, role('c', { to: 'none' }, [rule('secrets')]));
    runController(world, roleAggregation(world));
    await world.clock.advance(1000);
    expect(world.get(type, undefined, 'all')?.rules).toEqual([rule('nodes'), rule('pods'), rule('services')]);

    await world.remove(type, world.get(type, undefined, 'a') as AnyObject);
    await world.clock.advance(1000);
    expect(world.get(type, undefined, 'all')?.rules).toEqual([rule('pods'), rule('services')]);

    const writes = world.writes.length;
    await world.clock.advance(3600_000);
    expect(world.writes.length).toBe(writes);
  });
});
