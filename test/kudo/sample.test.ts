import { describe, expect, it } from 'vitest';
import { kinds } from '../../src/kube/kinds.ts';
import { sample, sampleObjects } from '../../src/kudo/sample.ts';
import { KudoStage } from './kudo-stage.ts';

const name = sample.instance;

describe('the sample', () => {
  it('runs, scales and takes a notice without a restart, restarts for its currency, and makes backups', async () => {
    await using stage = await KudoStage.open();
    stage.start();
    for (const object of sampleObjects()) await stage.apply(object);
    await stage.settled(name, 1);
    await stage.until('it is ready', () => stage.condition(name, 'Ready') === 'True ResourcesReady');
    const first = stage.podUids();
    expect(first).toHaveLength(3);

    await stage.set(name, { NODE_COUNT: '4' });
    await stage.settled(name, 2);
    const scaled = stage.podUids();
    expect(scaled).toHaveLength(4);
    expect(scaled).toEqual(expect.arrayContaining([...first]));

    await stage.set(name, { NOTICE: 'Books close at noon.' });
    await stage.settled(name, 3);
    expect(stage.podUids()).toEqual(scaled);
    expect(stage.find(kinds.configMaps, 'ledger-settings')).toMatchObject({
      data: { 'notice.txt': 'Books close at noon.\n' },
    });

    await stage.set(name, { CURRENCY: 'CHF' });
    await stage.settled(name, 4);
    expect(stage.podUids().filter((uid) => scaled.includes(uid))).toEqual([]);

    const restarted = stage.podUids();
    for (const execution of [5, 6]) {
      await stage.trigger(name, 'backup', { restart: false });
      await stage.settled(name, execution);
      expect(stage.last(name)).toBe('backup COMPLETE');
      expect(stage.podUids()).toEqual(expect.arrayContaining([...restarted]));
    }
    await stage.set(name, { BACKUP_NAME: 'second' });
    await stage.settled(name, 7);
    expect(stage.last(name)).toBe('backup COMPLETE');
    expect(stage.instance(name).status?.history?.[0]).toMatchObject({ cause: 'parameters', forced: false });
  });
});
