import { describe, expect, it } from 'vitest';
import { stringFormat } from './formats.ts';

describe('string formats', () => {
  it.each([
    ['date-time', ['2024-01-01T00:00:00Z', '2024-02-29T23:59:59.5+01:00'], ['2024-02-30T00:00:00Z', '2024-01-01', '']],
    ['date', ['2024-02-29'], ['2023-02-29', '2024-1-1']],
    ['duration', ['1h30m', '0', '-1.5h', '22 ns', '2 days', '3weeks'], ['', 'x', '5 lightyears']],
    ['ipv4', ['10.0.0.1'], ['10.0.0', '::1']],
    ['ipv6', ['::1'], ['10.0.0.1']],
    ['cidr', ['10.0.0.0/8', '::/0'], ['10.0.0.0', '10.0.0.0/33']],
    ['mac', ['00:1a:2b:3c:4d:5e', '001a.2b3c.4d5e'], ['00:1a:2b']],
    ['uuid', ['123e4567-e89b-12d3-a456-426614174000', '123E4567E89B12D3A456426614174000'], ['123e4567']],
    ['uuid4', ['123e4567-e89b-42d3-a456-426614174000'], ['123e4567-e89b-12d3-a456-426614174000']],
    ['byte', ['aGk=', ''], ['aGk', '***']],
    ['email', ['a@b.c', 'A <a@b.c>'], ['a', '@b']],
    ['hostname', ['a.example.com', 'localhost'], ['a_b', '-a']],
    ['uri', ['http://x/y', '/path'], ['x', 'http://a b']],
    ['isbn', ['0321751043', '978-0321751041'], ['0321751044']],
    ['creditcard', ['4111 1111 1111 1111'], ['4111 1111 1111 1112']],
    ['hexcolor', ['#fff', 'A0B1C2'], ['#ff']],
    ['rgbcolor', ['rgb(0, 1, 255)'], ['rgb(0,1)']],
    ['ssn', ['111-22-3333'], ['111']],
    ['password', ['anything'], []],
    ['k8s-short-name', ['a-b'], ['a.b', 'A', 'a'.repeat(64)]],
    ['k8s-long-name', ['a.b-c'], ['a..b']],
  ])('%s', (format, right, wrong) => {
    const valid = stringFormat(format);
    expect(right.filter((value) => !valid?.(value))).toEqual([]);
    expect(wrong.filter((value) => valid?.(value))).toEqual([]);
  });

  it('does not know others, nor what objects inherit', () => {
    expect(stringFormat('int-or-string')).toBeUndefined();
    expect(stringFormat('constructor')).toBeUndefined();
  });
});
