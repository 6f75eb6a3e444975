import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startChild } from './child.ts';
import { isAlive, type ProcessIdentity, programOf } from './process.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'rig-child-'));
});
afterEach(() => rm(directory, { recursive: true }));

describe.runIf(process.platform === 'linux')('a child', () => {
  it('is asked to end, and made to when it does not listen', async () => {
    const args = ['-c', 'trap "" TERM; echo deaf; while :; do sleep 0.05; done'];
    const log = join(directory, 'log');
    const child = startChild('deaf', { command: 'sh', args, cwd: directory, log });
    while (!child.logTail().includes('deaf')) await new Promise((resolve) => setTimeout(resolve, 5));
    await child.stop(50);
    expect(await child.ended).toBe('SIGKILL');
    expect(isAlive(child.identity)).toBe(false);
  });

  it('ends when the process that started it is killed', async () => {
    const script = `
      const { startChild } = await import(${JSON.stringify(new URL('./child.ts', import.meta.url).href)});
      const child = startChild('sleeper', { command: 'sleep', args: ['600'], cwd: '/', log: ${JSON.stringify(join(directory, 'log'))} });
      console.log(JSON.stringify(child.identity));
      setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const sleeper = JSON.parse(line.toString()) as ProcessIdentity;
    // Until it runs its own program, it may not yet have asked the kernel to end it with its parent.
    while (!programOf(sleeper.pid)?.endsWith('/sleep')) await new Promise((resolve) => setTimeout(resolve, 5));
    parent.kill('SIGKILL');
    while (isAlive(sleeper)) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(isAlive(sleeper)).toBe(false);
  });
});
