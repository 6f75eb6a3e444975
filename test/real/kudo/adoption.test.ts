import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kinds } from '../../../src/kube/kinds.ts';
import { type Layout, leaveAsKudo } from './as-kudo-left-it.ts';
import { packageFolder } from './packages.ts';
import { KudoWorld, type Pods } from './world.ts';

const layouts: readonly (readonly [name: string, Layout])[] = [
  ['old', 'up to 0.12'],
  ['late', 'since 0.13'],
];
let world: KudoWorld;

beforeAll(async () => {
  world = await KudoWorld.open('kudo-adoption');
  await world.cutover('install', packageFolder('store'), '--skip-instance');
  for (const [name, layout] of layouts) await leaveAsKudo(world, name, layout);
  for (const [name] of layouts) {
    await world.kubectl(['rollout', 'status', `statefulset/${name}-node`]);
    await world.kubectl(['rollout', 'status', `deployment/${name}-front`]);
  }
  await world.operate();
});
afterAll(async () => await world[Symbol.asyncDispose]());

describe.each(layouts)('an Instance %s with objects as KUDO %s made them', (name) => {
  const pods = async (): Promise<Pods> => ({
    ...(await world.pods(`app=${name}`)),
    ...(await world.pods(`front=${name}`)),
  });

  it('is left alone until somebody says that KUDO is gone', async () => {
    const aside = await world.until(
      'it says who manages it',
      async () => (await world.instance(name)).status?.conditions ?? [],
      (conditions) => conditions.some(({ type }) => type === 'ManagedElsewhere'),
    );
    expect(aside).toMatchObject([{ type: 'ManagedElsewhere', status: 'True', reason: 'StatusKeptByAnother' }]);
  });

  it('is taken over and changed quietly without a restart', async () => {
    const before = await pods();
    expect(Object.keys(before)).toHaveLength(3);
    await world.kubectl(['annotate', 'instance', name, 'cutover.dev/takeover=true']);
    await world.update(name, { NODE_COUNT: '3' });
    expect(await pods()).toEqual({ ...before, [`${name}-node-2`]: expect.any(String) });
    expect((await world.instance(name)).status?.history?.[0]).toMatchObject({ forced: false, outcome: 'COMPLETE' });
  });

  it('has lost what the templates no longer have', async () => {
    const settings = await world.get(kinds.configMaps, `${name}-node`);
    expect(settings.data).toEqual({ level: 'info', notice: 'open' });
    for (const object of [settings, await world.get(kinds.statefulSets, `${name}-node`)]) {
      expect(object.metadata.labels).not.toHaveProperty('since');
      const managers = object.metadata.managedFields?.map(({ manager }) => manager);
      expect(managers).toContain('cutover-kudo');
      expect(managers).not.toContain('kudo-manager');
    }
  });

  it('restarts for a change that asks for it, and then has one mark on its pods', async () => {
    const before = await pods();
    await world.update(name, { LEVEL: 'debug' });
    const after = await pods();
    expect(Object.keys(before).filter((pod) => before[pod] === after[pod])).toEqual([]);
    const { spec } = await world.get(kinds.statefulSets, `${name}-node`);
    const { template } = spec as { readonly template: { readonly metadata: { readonly annotations?: object } } };
    expect(Object.keys(template.metadata.annotations ?? {})).toEqual(['kudo.dev/last-plan-execution-uid']);
  });
});
