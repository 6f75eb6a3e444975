import { describe, expect, it } from 'vitest';
import { StagingStage } from './staging-stage.ts';

const image = 'registry.example/busybox:1';

/** A push, a task that works for a while, and one that is canceled, while the operator dies after so many writes. */
async function lives(diesAfter: number): Promise<boolean> {
  await using stage = await StagingStage.open();
  stage.images.set(image, { read: true, config: { ports: [9000], user: '1000' } });
  await stage.stop();
  stage.writes.length = 0;
  stage.start(diesAfter);
  let revived = false;
  const until = async (what: string, holds: () => boolean): Promise<void> => {
    await stage.clock.runUntil(() => holds() || (stage.isGone && !revived), 300_000);
    if (stage.isGone && !revived) {
      revived = true;
      stage.start();
    }
    await stage.until(what, holds, 300_000);
  };
  const states = (name: string, type: string): string => stage.condition('CFTask', name, type);

  await stage.push('droplet', image);
  await until('the droplet', () => stage.condition('CFBuild', 'droplet', 'Ready') === 'True Ready');
  await stage.edit('CFApp', 'app', { spec: { currentDropletRef: { name: 'droplet' } } });
  await stage.make('CFTask', 'work', { appRef: { name: 'app' }, command: 'sleep 30' });
  await stage.make('CFTask', 'long', { appRef: { name: 'app' }, command: 'sleep 3600' });
  await until('they run', () => ['work', 'long'].every((name) => states(name, 'Started') === 'True JobStarted'));
  await stage.edit('CFTask', 'long', { spec: { canceled: true } });
  await until('work is done', () => states('work', 'Succeeded') === 'True JobSucceeded');
  await until('the other is canceled', () => states('long', 'Failed') === 'True TaskCanceled');
  await until('nothing of it is left', () =>
    ['TaskWorkload', 'Job'].every((kind) => !stage.names(kind).includes('long')),
  );

  expect(stage.status('CFBuild', 'droplet')).toMatchObject({ state: 'STAGED', droplet: { ports: [9000] } });
  const numbers = ['work', 'long'].map((name) => Reflect.get(stage.status('CFTask', name) as object, 'sequenceId'));
  expect(numbers.sort()).toEqual([1, 2]);
  expect(stage.names('Pod').filter((name) => name.startsWith('work'))).toHaveLength(1);
  return !revived;
}

describe('an operator that dies', () => {
  it('after any of its writes leaves nothing half done, and runs nothing twice', async () => {
    let writes = 1;
    while (!(await lives(writes))) writes += 1;
    expect(writes).toBeGreaterThan(15);
  }, 300_000);
});
