import { describe, expect, it } from 'vitest';
import { readTime } from './go-time.ts';

describe('readTime', () => {
  it.each([
    ['2026-01-02T03:04:05Z', 'second', '2026-01-02T03:04:05Z'],
    ['2026-01-02T03:04:05.987Z', 'second', '2026-01-02T03:04:05Z'],
    ['2026-01-02T03:04:05,5Z', 'second', '2026-01-02T03:04:05Z'],
    ['2026-01-01T01:00:00.5+02:00', 'second', '2025-12-31T23:00:00Z'],
    ['2026-01-02T03:04:05.123456Z', 'micro', '2026-01-02T03:04:05.123456Z'],
    ['2026-01-02T02:00:00.123456-01:30', 'micro', '2026-01-02T03:30:00.123456Z'],
    ['2024-02-29T00:00:00Z', 'second', '2024-02-29T00:00:00Z'],
  ] as const)('reads %s to the %s', (given, precision, text) => {
    expect(readTime(given, precision)).toEqual({ text });
  });

  it.each([
    ['x', 'second', 'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"'],
    ['', 'second', 'parsing time "" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "2006"'],
    ['20260101', 'second', 'parsing time "20260101" as "2006-01-02T15:04:05Z07:00": cannot parse "0101" as "-"'],
    ['2026-01-01', 'second', 'parsing time "2026-01-01" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "T"'],
    [
      '2026-01-01T00:00:00+0200',
      'second',
      'parsing time "2026-01-01T00:00:00+0200" as "2006-01-02T15:04:05Z07:00": cannot parse "+0200" as "Z07:00"',
    ],
    [
      '2026-01-01T00:00:00.123Z',
      'micro',
      'parsing time "2026-01-01T00:00:00.123Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse ".123Z" as ".000000"',
    ],
    ['2026-13-01T00:00:00Z', 'second', 'parsing time "2026-13-01T00:00:00Z": month out of range'],
    ['2026-02-29T00:00:00Z', 'second', 'parsing time "2026-02-29T00:00:00Z": day out of range'],
    ['2026-01-01T25:00:00Z', 'second', 'parsing time "2026-01-01T25:00:00Z": hour out of range'],
    ['2026-01-01T00:00:00Zx', 'second', 'parsing time "2026-01-01T00:00:00Zx": extra text: "x"'],
  ] as const)('refuses %j to the %s', (given, precision, wrong) => {
    expect(readTime(given, precision)).toEqual({ wrong });
  });
});
