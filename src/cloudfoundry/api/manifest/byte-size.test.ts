import { describe, expect, it } from 'vitest';
import { megabytes } from './byte-size.ts';

describe('a size in a manifest', () => {
  it.each([
    ['64M', 64],
    ['64m', 64],
    ['64MB', 64],
    ['1G', 1024],
    ['2gb', 2048],
    ['1T', 1024 * 1024],
    ['2048K', 2],
    ['1048576B', 1],
    ['100B', 0],
  ])('reads %s as %d megabytes', (text, size) => expect(megabytes(text)).toBe(size));

  it.each(['64', '', 'M', '-1M', '1.5G', '64 M', '64Mi', '9999999999999999G', '999999999999999T', '64M\n'])(
    'does not read %j',
    (text) => expect(megabytes(text)).toBeUndefined(),
  );
});
