import { describe, expect, it } from 'vitest';
import { ByteQueue } from './byte-queue.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);

async function all(queue: ByteQueue): Promise<string[]> {
  const chunks: string[] = [];
  for await (const chunk of queue) chunks.push(Buffer.from(chunk).toString());
  return chunks;
}

describe('a byte queue', () => {
  it('hands over everything in order, joining what waited together', async () => {
    const queue = new ByteQueue();
    queue.push(bytes('a'));
    queue.push(bytes('b'));
    const read = all(queue);
    await Promise.resolve();
    queue.push(bytes('c'));
    queue.end();
    expect((await read).join('')).toBe('abc');
  });

  it('keeps messages apart when asked to', async () => {
    const queue = new ByteQueue({ joined: false });
    queue.push(bytes('a'));
    queue.push(bytes('b'));
    queue.end();
    expect(await all(queue)).toEqual(['a', 'b']);
  });

  it('cuts off a reader who falls too far behind, and lets the writer know', async () => {
    let overflows = 0;
    const queue = new ByteQueue({ limit: 10, onOverflow: () => overflows++ });
    let left = 0;
    queue.onLeave = () => left++;
    expect(queue.push(bytes('12345'))).toBe(true);
    expect(queue.push(bytes('678901'))).toBe(false);
    expect(queue.push(bytes('x'))).toBe(false);
    expect([left, overflows]).toEqual([1, 1]);
    expect(await all(queue)).toEqual([]);
  });

  it('lets the writer know when the reader leaves in the middle', async () => {
    const queue = new ByteQueue();
    let left = 0;
    queue.onLeave = () => left++;
    queue.push(bytes('a'));
    for await (const _ of queue) break;
    expect(left).toBe(1);
    expect(queue.push(bytes('b'))).toBe(false);
  });
});
