import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRun, listRuns, pruneRuns, readRun } from './run.ts';

let runs: string;
beforeEach(async () => {
  runs = await mkdtemp(join(tmpdir(), 'rig-runs-'));
});
afterEach(() => rm(runs, { recursive: true }));

/** What a run leaves behind that was killed: its holder is a process that has never been. */
async function leftover(name: string): Promise<void> {
  await mkdir(join(runs, name));
  const holder = { pid: process.pid, started: 'another boot/1' };
  await writeFile(join(runs, name, 'run.json'), JSON.stringify({ name, level: 'control-plane', holder }));
}

describe.runIf(process.platform === 'linux')('a run', () => {
  it('has a directory of its own that goes with it', async () => {
    const [one, two] = [await createRun(runs, 'control-plane'), await createRun(runs, 'control-plane')];
    expect(one.directory).not.toBe(two.directory);
    expect(listRuns(runs)).toHaveLength(2);
    await one.remove();
    expect(existsSync(one.directory)).toBe(false);
    expect(listRuns(runs).map(({ name }) => name)).toEqual([two.name]);
  });

  it('does not take the name of one that is alive', async () => {
    await createRun(runs, 'control-plane', 'mine');
    await expect(createRun(runs, 'control-plane', 'mine')).rejects.toThrow('the run "mine" is already up');
    expect(await pruneRuns(runs)).toEqual([]);
    expect(readRun(runs, 'mine')).toMatchObject({ name: 'mine', holder: { pid: process.pid } });
  });

  it('clears away what killed runs left behind, and nothing else', async () => {
    await createRun(runs, 'control-plane', 'alive');
    await leftover('dead');
    await writeFile(join(runs, 'alive.log'), '');
    expect(await pruneRuns(runs)).toEqual(['dead']);
    await leftover('mine');
    expect((await createRun(runs, 'control-plane', 'mine')).name).toBe('mine');
    expect(existsSync(join(runs, 'alive.log'))).toBe(true);
  });

  it.each(['../up', '', 'A', '.hidden', 'a'.repeat(32)])('refuses the name "%s"', async (name) => {
    await expect(createRun(runs, 'control-plane', name)).rejects.toThrow('is no name for a run');
  });
});
