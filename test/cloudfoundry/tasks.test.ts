import { describe, expect, it } from 'vitest';
import type { CloudFoundrySettings } from '../../src/cloudfoundry/settings.ts';
import { kinds } from '../../src/kube/kinds.ts';
import { StagingStage, space } from './staging-stage.ts';

/** An app with a droplet. It need not run: tasks run beside its instances. */
async function pushed(settings: Partial<CloudFoundrySettings> = {}): Promise<StagingStage> {
  const stage = await StagingStage.open(settings);
  await stage.push('droplet', 'registry.example/busybox:1');
  await stage.until('the droplet', () => stage.condition('CFBuild', 'droplet', 'Succeeded') === 'True BuildSucceeded');
  await stage.edit('CFApp', 'app', { spec: { currentDropletRef: { name: 'droplet' } } });
  return stage;
}

const run = (stage: StagingStage, name: string, command: string, more: object = {}): Promise<void> =>
  stage.make('CFTask', name, { appRef: { name: 'app' }, command, ...more });

describe('tasks', () => {
  it('run once and succeed, also beside an app that is stopped', async () => {
    await using stage = await pushed();
    await run(stage, 'hello', 'echo hello; sleep 2');
    await stage.until('it runs', () => stage.condition('CFTask', 'hello', 'Started') === 'True JobStarted');
    expect(stage.condition('CFTask', 'hello', 'Succeeded')).toBe('');
    await stage.until('it ends', () => stage.condition('CFTask', 'hello', 'Succeeded') === 'True JobSucceeded');
    expect(stage.status('CFTask', 'hello')).toMatchObject({
      sequenceId: 1,
      memoryMB: 1024,
      diskQuotaMB: 1024,
      dropletRef: { name: 'droplet' },
    });
    await stage.clock.advance(60_000);
    stage.writes.length = 0;
    await stage.clock.advance(3_600_000);
    expect(stage.writes).toEqual([]);
  });

  it('fail with the exit code of their command', async () => {
    await using stage = await pushed();
    await run(stage, 'bad', 'echo bad; exit 3');
    await stage.until('it ends', () => stage.condition('CFTask', 'bad', 'Failed') !== '');
    expect(stage.condition('CFTask', 'bad', 'Failed')).toBe('True Error');
    expect(stage.message('CFTask', 'bad', 'Failed')).toBe('Failed with exit code: 3');
    expect(stage.condition('CFTask', 'bad', 'Succeeded')).toBe('');
  });

  it('are numbered one after the other, however many come at once', async () => {
    await using stage = await pushed();
    const names = Array.from({ length: 12 }, (_, index) => `task-${index}`);
    await Promise.all(names.map((name) => run(stage, name, 'sleep 1')));
    const number = (name: string): unknown => Reflect.get(stage.status('CFTask', name) as object, 'sequenceId');
    await stage.until('all have a number', () => names.every((name) => number(name) !== undefined));
    expect(names.map(number).sort((a, b) => Number(a) - Number(b))).toEqual(names.map((_, index) => index + 1));
  });

  it('end when they are canceled, with all they ran', async () => {
    await using stage = await pushed();
    await run(stage, 'long', 'sleep 3600');
    await stage.until('it runs', () => stage.condition('CFTask', 'long', 'Started') === 'True JobStarted');
    await stage.edit('CFTask', 'long', { spec: { canceled: true } });
    await stage.until('nothing is left', () => {
      return ['TaskWorkload', 'Job', 'Pod'].every((kind) => stage.names(kind).length === 0);
    });
    expect(stage.condition('CFTask', 'long', 'Canceled')).toBe('True TaskCanceled');
    expect(stage.condition('CFTask', 'long', 'Failed')).toBe('True TaskCanceled');
  });

  it('are not run twice when the operator restarts meanwhile', async () => {
    await using stage = await pushed();
    await run(stage, 'work', 'sleep 30');
    await stage.until('it runs', () => stage.condition('CFTask', 'work', 'Started') === 'True JobStarted');
    await stage.stop();
    await stage.clock.advance(60_000);
    stage.start();
    await stage.until('it has ended', () => stage.condition('CFTask', 'work', 'Succeeded') === 'True JobSucceeded');
    expect(stage.writes.filter((write) => /^POST .*\/(jobs|taskworkloads)/.test(write))).toHaveLength(2);
  });

  it('are not run twice when somebody deletes what they run', async () => {
    await using stage = await pushed();
    await run(stage, 'work', 'sleep 3600');
    await stage.until('it runs', () => stage.condition('CFTask', 'work', 'Started') === 'True JobStarted');
    await stage.person.resource(kinds.jobs).delete({ namespace: space, name: 'work' });
    await stage.until('it has ended', () => stage.condition('CFTask', 'work', 'Failed') === 'True JobGone');
    expect(stage.names('Job')).toEqual([]);
  });

  it('are forgotten after their time', async () => {
    await using stage = await pushed({ taskTtlMs: 600_000 });
    await run(stage, 'hello', 'true');
    await stage.until('it ends', () => stage.condition('CFTask', 'hello', 'Succeeded') === 'True JobSucceeded');
    await stage.clock.advance(590_000);
    expect(stage.names('CFTask')).toEqual(['hello']);
    await stage.until('it is gone', () => stage.names('TaskWorkload').length === 0, 20_000);
    expect(stage.names('CFTask')).toEqual([]);
  });
});
