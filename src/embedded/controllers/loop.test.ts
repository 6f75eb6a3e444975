import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../kube/object.ts';
import { configMaps } from '../kinds/resource-types.ts';
import { conflict, forbidden } from '../status-error.ts';
import { type Controller, itself, type Key, runController } from './loop.ts';
import { TestWorld } from './test-world.ts';

const object = (name: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'n' },
});

function watching(reconcile: (key: Key) => Promise<number | undefined>): Controller {
  return { name: 'test', sources: [itself(configMaps)], reconcile };
}

describe('a controller', () => {
  it('looks at what exists, then at what changes, each key once for many changes', async () => {
    const world = new TestWorld();
    const seen: string[] = [];
    await world.create(configMaps, object('a'));
    const stop = runController(
      world,
      watching(async ({ namespace, name }) => {
        seen.push(`${namespace}/${name}`);
        return undefined;
      }),
    );
    await world.clock.advance(0);
    for (let n = 0; n < 5; n++) await world.patch(configMaps, 'n', 'a', { data: { n: String(n) } });
    await world.create(configMaps, object('b'));
    await world.clock.advance(0);
    stop();
    await world.create(configMaps, object('c'));
    await world.clock.advance(0);
    expect(seen[0]).toBe('n/a');
    expect(seen.filter((key) => key === 'n/b')).toHaveLength(1);
    expect(seen.length).toBeLessThanOrEqual(7);
    expect(seen).not.toContain('n/c');
  });

  it('looks again when it was asked to, and a change makes that unnecessary', async () => {
    const world = new TestWorld();
    const at: number[] = [];
    await world.create(configMaps, object('a'));
    const stop = runController(
      world,
      watching(async () => {
        at.push(world.clock.monotonic());
        return at.length < 3 ? 1000 : undefined;
      }),
    );
    await world.clock.advance(500);
    await world.patch(configMaps, 'n', 'a', { data: { x: '1' } });
    await world.clock.advance(10_000);
    expect(at).toEqual([0, 500, 1500]);
    expect(world.clock.untilNext).toBeUndefined();
    stop();
  });

  it('reports its own mistake, tries again later and goes on with others', async () => {
    const world = new TestWorld();
    const troubles: string[] = [];
    const seen: string[] = [];
    await world.create(configMaps, object('a'));
    await world.create(configMaps, object('b'));
    const stop = runController(
      world,
      watching(async ({ name }) => {
        seen.push(name);
        if (name === 'a' && seen.length === 1) throw new TypeError('a bug');
        return undefined;
      }),
      (what, error) => void troubles.push(`${what}: ${error}`),
    );
    await world.clock.advance(1000);
    expect(seen).toEqual(['a', 'b', 'a']);
    expect(troubles).toEqual(['controller test at n/a: TypeError: a bug']);
    stop();
  });

  it.each([
    ['a refusal', forbidden({ group: '', plural: 'x', name: 'y' }, 'no'), [0, 10, 30, 70, 150]],
    ['a conflict', conflict({ group: '', plural: 'x', name: 'y' }, 'moved'), [0, 10, 20, 30, 40]],
  ])('tries again after %s', async (_, error, times) => {
    const world = new TestWorld();
    const at: number[] = [];
    await world.create(configMaps, object('a'));
    const stop = runController(
      world,
      watching(async () => {
        at.push(world.clock.monotonic());
        if (at.length < 5) throw error;
        return undefined;
      }),
    );
    await world.clock.advance(1000);
    expect(at).toEqual(times);
    stop();
  });

  it('survives its own mistakes when someone hears of them', async () => {
    const world = new TestWorld();
    const heard: string[] = [];
    let tries = 0;
    await world.create(configMaps, object('a'));
    const stop = runController(
      world,
      watching(async () => {
        if (++tries === 1) throw new TypeError('oops');
        return undefined;
      }),
      (what) => heard.push(what),
    );
    await world.clock.advance(1000);
    expect(heard).toEqual(['controller test at n/a']);
    expect(tries).toBe(2);
    stop();
  });
});
