import { describe, expect, it } from 'vitest';
import { boundedLines } from './read-source.ts';

async function* chunks(...parts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part);
}

async function lines(...parts: readonly string[]): Promise<readonly string[]> {
  const read: string[] = [];
  for await (const line of boundedLines(chunks(...parts))) read.push(line.toString());
  return read;
}

describe('the lines of a log', () => {
  it('are put together from chunks, the last one also without an end', async () => {
    expect(await lines('one\ntw', 'o\n', '\nthr', 'ee')).toEqual(['one', 'two', '', 'three']);
    expect(await lines()).toEqual([]);
  });

  it('are cut when they are too long, without losing the next', async () => {
    const long = 'x'.repeat(100_000);
    const [first, second] = await lines(long, `${long}\nshort\n`);
    expect(first?.length).toBe(65_536);
    expect(second).toBe('short');
  });
});
