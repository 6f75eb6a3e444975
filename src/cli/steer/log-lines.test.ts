import { expect, it } from 'vitest';
import { logLines } from './log-lines.ts';

async function lines(...chunks: readonly (string | Uint8Array)[]): Promise<readonly string[]> {
  async function* body() {
    for (const chunk of chunks) yield typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk;
  }
  const told: string[] = [];
  for await (const line of logLines(body())) told.push(line);
  return told;
}

it('keeps empty lines, tears no letter, and needs no end', async () => {
  const [first, second] = [new TextEncoder().encode('日').slice(0, 1), new TextEncoder().encode('日').slice(1)];
  expect(await lines('a\n\nb', 'c\n', first, second, '!')).toEqual(['a', '', 'bc', '日!']);
  expect(await lines()).toEqual([]);
});

it('tells a line that does not end in pieces', async () => {
  const pieces = await lines('x'.repeat(100_000), 'x'.repeat(100_000));
  expect(pieces.length).toBeGreaterThan(2);
  expect(pieces.join('')).toHaveLength(200_000);
});
