import { describe, expect, it } from 'vitest';
import { oneAtATime } from './one-at-a-time.ts';

describe('work under a key', () => {
  const steps = async (key: string, name: string, seen: string[]): Promise<string> =>
    await oneAtATime(key, async () => {
      seen.push(`${name} begins`);
      await Promise.resolve();
      await Promise.resolve();
      seen.push(`${name} ends`);
      return name;
    });

  it('waits for earlier work under the same key, and for no other', async () => {
    const seen: string[] = [];
    const work = [steps('k', 'a', seen), steps('k', 'b', seen), steps('other', 'c', seen), steps('k', 'd', seen)];
    expect(await Promise.all(work)).toEqual(['a', 'b', 'c', 'd']);
    expect(seen.filter((step) => !step.startsWith('c'))).toEqual(
      ['a', 'b', 'd'].flatMap((name) => [`${name} begins`, `${name} ends`]),
    );
    expect(seen.indexOf('c begins')).toBeLessThan(seen.indexOf('a ends'));
  });

  it('is not stopped by a failure before it', async () => {
    const failing = oneAtATime('k', () => Promise.reject(new Error('first')));
    const next = oneAtATime('k', async () => 'second');
    await expect(failing).rejects.toThrow('first');
    expect(await next).toBe('second');
  });
});
