import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Clock } from '../../clock/clock.ts';
import { OperatorConfigError } from './read-operator-config.ts';
import { watchOperatorConfig } from './watch-operator-config.ts';

const key = 'kubernetes.operator.reconcile.interval';
const intervalKey = 'kubernetes.operator.dynamic.config.check.interval';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cutover-config-'));
  file = join(folder, 'config.yaml');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Timers that go off when the test says so: files are read in real time. */
class Alarms implements Clock {
  readonly set: { readonly ms: number; readonly callback: () => void }[] = [];
  now = (): number => 0;
  monotonic = (): number => 0;
  after(ms: number, callback: () => void): () => void {
    const alarm = { ms, callback };
    this.set.push(alarm);
    return () => void this.set.splice(this.set.indexOf(alarm), 1);
  }
  /** The next one goes off; when this resolves, the one after it is set. Returns how long it would have taken. */
  async ring(): Promise<number> {
    const alarm = this.set.pop();
    alarm?.callback();
    await vi.waitFor(() => expect(this.set).toHaveLength(1), { timeout: 10_000 });
    return alarm?.ms ?? Number.NaN;
  }
}

async function watched(path: string | undefined) {
  const alarms = new Alarms();
  const problems: string[] = [];
  const config = await watchOperatorConfig(path, alarms, (problem) => problems.push(problem));
  return { config, alarms, problems, interval: () => config.current().settings[key] };
}

describe('the configuration of the operator', () => {
  it('is read again every five minutes', async () => {
    writeFileSync(file, `${key}: 1 min`);
    const { alarms, interval, problems } = await watched(file);
    expect(interval()).toBe('1 min');
    writeFileSync(file, `${key}: 2 min`);
    expect(interval()).toBe('1 min');
    expect(await alarms.ring()).toBe(300_000);
    expect(interval()).toBe('2 min');
    expect(problems).toEqual([]);
  });

  it('is the same object while nothing changes', async () => {
    writeFileSync(file, `${key}: 1 min`);
    const { config, alarms } = await watched(file);
    const before = config.current();
    await alarms.ring();
    expect(config.current()).toBe(before);
  });

  it('stays in force when what replaces it cannot be used, which is reported once', async () => {
    writeFileSync(file, `${key}: 1 min`);
    const { alarms, interval, problems } = await watched(file);
    writeFileSync(file, `${key}: soon`);
    await alarms.ring();
    await alarms.ring();
    expect(interval()).toBe('1 min');
    expect(problems).toEqual([`${file}: ${key}: "soon" is not a duration; write for example "30 s"`]);
    rmSync(file);
    await alarms.ring();
    expect(interval()).toBe('1 min');
    expect(problems[1]).toContain('cannot be read');
    writeFileSync(file, `${key}: 3 min`);
    await alarms.ring();
    expect(interval()).toBe('3 min');
    writeFileSync(file, `${key}: soon`);
    await alarms.ring();
    expect(problems).toHaveLength(3);
  });

  it('says itself how often it is read, and whether at all', async () => {
    writeFileSync(file, `${intervalKey}: 20 s`);
    const { alarms, interval } = await watched(file);
    writeFileSync(file, `${intervalKey}: 0 s`);
    expect(await alarms.ring()).toBe(20_000);
    writeFileSync(file, `kubernetes.operator.dynamic.config.enabled: false\n${key}: 7 s`);
    const last = alarms.set.pop();
    expect(last?.ms).toBe(1000);
    last?.callback();
    await vi.waitFor(() => expect(interval()).toBe('7 s'), { timeout: 10_000 });
    expect(alarms.set).toEqual([]);
  });

  it('is not read again after the end, nor when there is none', async () => {
    writeFileSync(file, '');
    const { config, alarms } = await watched(file);
    config.stop();
    config.stop();
    expect(alarms.set).toEqual([]);
    const { alarms: none, config: defaults } = await watched(undefined);
    expect(none.set).toEqual([]);
    expect(defaults.current().settings['taskmanager.numberOfTaskSlots']).toBe('1');
  });

  it('must be usable at the start', async () => {
    await expect(watched(join(folder, 'absent'))).rejects.toThrow(OperatorConfigError);
    writeFileSync(file, 'kubernetes.operator.leader-election.enabled: perhaps');
    await expect(watched(file)).rejects.toThrow('leader-election.enabled: "perhaps" is not a boolean');
  });
});

describe('a ConfigMap that is mounted as a directory', () => {
  /** As the kubelet does it: files are links into a folder that is replaced as a whole. */
  function mount(version: string, files: Readonly<Record<string, string>>): void {
    mkdirSync(join(folder, `..${version}`));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, `..${version}`, name), text);
    symlinkSync(`..${version}`, join(folder, '..data_tmp'));
    renameSync(join(folder, '..data_tmp'), join(folder, '..data'));
  }

  it('is read, and read again when it is replaced', async () => {
    mount('v1', { 'config.yaml': `${key}: 1 min`, 'log4j-console.properties': 'x' });
    for (const name of ['config.yaml', 'log4j-console.properties']) {
      symlinkSync(join('..data', name), join(folder, name));
    }
    const { alarms, interval, config } = await watched(folder);
    expect(interval()).toBe('1 min');
    expect(config.current().logFiles).toEqual({ 'log4j-console.properties': 'x' });
    mount('v2', { 'config.yaml': `${key}: 2 min` });
    await alarms.ring();
    expect(interval()).toBe('2 min');
    expect(Object.keys(config.current().logFiles)).toEqual(['log4j-console.properties']);
    expect(config.current().logFiles['log4j-console.properties']).not.toBe('x');
  });
});
