import { describe, expect, it } from 'vitest';
import { nanosecondsOf, stampedLine } from './log-line.ts';

describe('the time of a line', () => {
  it.each([
    ['1970-01-01T00:00:01Z', 1_000_000_000n],
    ['1970-01-01T00:00:01.5Z', 1_500_000_000n],
    ['1970-01-01T00:00:00.123456789Z', 123_456_789n],
    ['1970-01-01T02:00:00.000000001+02:00', 1n],
    ['1969-12-31T19:30:00-04:30', 0n],
  ])('of %s is exact', (text, time) => expect(nanosecondsOf(text)).toBe(time));

  it.each(['', 'yesterday', '1970-01-01T00:00:01', '1970-13-01T00:00:01Z', '1970-01-01 00:00:01Z'])(
    'of %j is not known',
    (text) => expect(nanosecondsOf(text)).toBeUndefined(),
  );
});

describe('a line with its time', () => {
  it('is split at the first space, and keeps its own', () => {
    const line = stampedLine(Buffer.from('1970-01-01T00:00:01Z  two  words '));
    expect(line?.time).toBe(1_000_000_000n);
    expect(line?.payload.toString()).toBe(' two  words ');
  });

  it('may be empty', () => {
    expect(stampedLine(Buffer.from('1970-01-01T00:00:01Z'))?.payload.length).toBe(0);
    expect(stampedLine(Buffer.from('1970-01-01T00:00:01Z '))?.payload.length).toBe(0);
  });

  it('is none without a time', () => {
    expect(stampedLine(Buffer.from('failed to try resolving symlinks'))).toBeUndefined();
    expect(stampedLine(Buffer.from('x'.repeat(100_000)))).toBeUndefined();
  });

  it('keeps bytes that are no text', () => {
    const bytes = Buffer.from([0xff, 0x00, 0x20, 0xfe]);
    const line = stampedLine(Buffer.concat([Buffer.from('1970-01-01T00:00:01Z '), bytes]));
    expect(line?.payload).toEqual(bytes);
  });
});
