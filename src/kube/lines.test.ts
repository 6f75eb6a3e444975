import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lines } from './lines.ts';

/** Cuts bytes at arbitrary places, in the middle of characters too. */
async function* cut(bytes: Buffer, at: readonly number[]): AsyncGenerator<Uint8Array> {
  let start = 0;
  for (const end of [...at.map((point) => point % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]) {
    yield bytes.subarray(start, end);
    start = end;
  }
}

async function collect(source: AsyncIterable<Buffer>): Promise<string[]> {
  const found: string[] = [];
  for await (const line of source) found.push(line.toString('utf8'));
  return found;
}

describe('lines', () => {
  it('come out whole however the bytes are cut', async () => {
    const line = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !text.includes('\n') && text !== '');
    await fc.assert(
      fc.asyncProperty(fc.array(line), fc.array(fc.nat()), async (texts, at) => {
        const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(''));
        expect(await collect(lines(cut(bytes, at)))).toEqual(texts.map((text) => Buffer.from(text).toString('utf8')));
      }),
    );
  });

  it('leave empty lines out', async () => {
    expect(await collect(lines(cut(Buffer.from('\n\na\n\nb\n'), [1, 4])))).toEqual(['a', 'b']);
  });

  it('fail when the stream ends in the middle of one', async () => {
    await expect(collect(lines(cut(Buffer.from('a\nb'), [])))).rejects.toMatchObject({ kind: 'garbled' });
  });

  it('fail when one grows beyond the limit', async () => {
    await expect(collect(lines(cut(Buffer.alloc(100, 'a'), [30, 60]), 50))).rejects.toMatchObject({ kind: 'garbled' });
  });
});
