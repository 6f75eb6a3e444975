import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withLock } from './lock.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'rig-lock-'));
});
afterEach(() => rm(directory, { recursive: true }));

describe.runIf(process.platform === 'linux')('a lock', () => {
  it('lets one in at a time, and the next after a failure', async () => {
    const file = join(directory, 'lock');
    let inside = 0;
    const enter = (fail: boolean) =>
      withLock(
        file,
        () => {},
        async () => {
          inside += 1;
          await new Promise((resolve) => setImmediate(resolve));
          expect(inside).toBe(1);
          inside -= 1;
          if (fail) throw new Error('failed inside');
        },
      );
    const results = await Promise.allSettled([enter(true), enter(false), enter(true), enter(false)]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled']);
  });

  it('is free again when its holder is killed', async () => {
    const file = join(directory, 'lock');
    const script = `
      const { withLock } = await import(${JSON.stringify(new URL('./lock.ts', import.meta.url).href)});
      await withLock(${JSON.stringify(file)}, () => {}, () => new Promise(() => { console.log('held'); setInterval(() => {}, 1000); }));`;
    const holder = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(holder.stdout, 'data');
    const entered = withLock(
      file,
      () => {},
      async () => 'entered',
    );
    holder.kill('SIGKILL');
    expect(await entered).toBe('entered');
  });
});
