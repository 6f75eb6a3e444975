import { describe, expect, it } from 'vitest';
import { kinds } from '../../src/kube/kinds.ts';
import { instance } from '../../src/kudo/resources/instance.ts';
import { demoPackage } from './demo-package.ts';
import { KudoStage } from './kudo-stage.ts';

describe('an Instance', () => {
  it('is deployed, changed quietly, changed with a restart, and cleaned up', async () => {
    const { stage } = await KudoStage.running(demoPackage);
    await using _ = stage;
    await stage.install('one');
    await stage.settled('one', 1);
    expect(stage.last('one')).toBe('deploy COMPLETE');
    await stage.until('it is ready', () => stage.condition('one', 'Ready') === 'True ResourcesReady');
    const before = stage.podUids();
    expect(before).toHaveLength(2);

    await stage.set('one', { NODE_COUNT: '4' });
    await stage.settled('one', 2);
    expect(stage.last('one')).toBe('deploy COMPLETE');
    expect(stage.podUids()).toHaveLength(4);
    expect(stage.podUids()).toEqual(expect.arrayContaining([...before]));

    const quiet = stage.podUids();
    await stage.set('one', { LEVEL: 'debug' });
    await stage.settled('one', 3);
    expect(stage.podUids().filter((uid) => quiet.includes(uid))).toEqual([]);
    expect(stage.instance('one').status?.history?.[0]).toMatchObject({ forced: true, changed: ['LEVEL'] });

    await stage.remove('one');
    await stage.until('it is gone', () => stage.find(instance.type, 'one') === undefined);
    await stage.until('all that it owned is gone', () => stage.find(kinds.configMaps, 'one-config') === undefined);
  });

  it('costs nothing while nothing changes', async () => {
    const { stage } = await KudoStage.running(demoPackage);
    await using _ = stage;
    await stage.install('one');
    await stage.settled('one', 1);
    await stage.until('it is ready', () => stage.condition('one', 'Ready') === 'True ResourcesReady');
    await stage.clock.advance(1_000);
    const writes = stage.writes.length;
    await stage.clock.advance(3_600_000);
    expect(stage.writes.slice(writes)).toEqual([]);
  });
});
