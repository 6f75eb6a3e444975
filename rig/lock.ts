import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { endingWithUs } from './command.ts';

/**
 * Runs `work` while nobody else on this machine does so under the same lock file.
 *
 * The lock is the kernel's (`flock`), held by a child that lives on our pipe: it is free again the moment this process
 * ends, killed or not. A lock file that was left lying around means nothing.
 */
export async function withLock<T>(file: string, onWait: () => void, work: () => Promise<T>): Promise<T> {
  const command = ['--exclusive', file, 'sh', '-c', 'echo locked; exec cat >/dev/null'];
  const holder = spawn(...endingWithUs('flock', command), { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(holder, 'close');
  const waiting = setTimeout(onWait, 1000);
  try {
    const locked = once(holder.stdout, 'data');
    await Promise.race([
      locked,
      ended.then(([code]) => {
        throw new Error(`could not lock ${file}: flock ended with ${code}`);
      }),
    ]);
    clearTimeout(waiting);
    return await work();
  } finally {
    clearTimeout(waiting);
    holder.stdin.end();
    await ended;
  }
}
