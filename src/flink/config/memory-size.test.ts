import { describe, expect, it } from 'vitest';
import { parseMemorySize, parsePodMemory, showMemorySize } from './memory-size.ts';

const megabyte = 2 ** 20;

describe('Flink’s notation', () => {
  it.each([
    ['1600m', 1600 * megabyte],
    ['2 gb', 2048 * megabyte],
    ['3g', 3072 * megabyte],
    ['2147483648', 2048 * megabyte],
    ['64 KB', 65_536],
    ['5 kibibytes', 5120],
    ['1t', 2 ** 40],
  ])('reads %s', (text, bytes) => expect(parseMemorySize(text)).toBe(bytes));

  it.each(['', '1.5g', '1 Gi', '-1m', 'lots', '999999999999999999t'])('does not take "%s" for a size', (text) =>
    expect(parseMemorySize(text)).toBeUndefined(),
  );

  it.each([
    [1600 * megabyte, '1600 mb'],
    [2 ** 31, '2 gb'],
    [1000, '1000 bytes'],
    [0, '0 bytes'],
  ])('writes %d bytes as Flink does', (bytes, text) => expect(showMemorySize(bytes)).toBe(text));
});

describe('sizes of pods', () => {
  it('takes 1600m for mebibytes, as Flink does, not for a fraction of a byte', () => {
    expect(parsePodMemory('1600m')).toBe(1600 * megabyte);
  });

  it.each([
    ['2Gi', 2 ** 31],
    ['1536Mi', 1536 * megabyte],
    ['1.5GiB', 1536 * megabyte],
    ['512 mib', 512 * megabyte],
    ['1e9', 1_000_000_000],
    ['1.5M', 1_500_000],
  ])('reads %s as Kubernetes does', (text, bytes) => expect(parsePodMemory(text)).toBe(bytes));

  it.each(['abc', '1i', '1 xi', '', 'e9'])('does not take "%s" for a size', (text) =>
    expect(parsePodMemory(text)).toBeUndefined(),
  );
});
