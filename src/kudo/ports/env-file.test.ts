import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEnvFile } from './env-file.ts';

const read = (text: string | Uint8Array) => {
  const result = readEnvFile(Buffer.from(text));
  return 'problem' in result ? result.problem : [...result.variables];
};

describe('an environment file', () => {
  it.each([
    [
      'A=1\nB=2\n',
      [
        ['A', '1'],
        ['B', '2'],
      ],
    ],
    ['A=1', [['A', '1']]],
    ['A=', [['A', '']]],
    ['A=b=c', [['A', 'b=c']]],
    ['A="quoted"  ', [['A', '"quoted"  ']]],
    ['\ufeffA=1', [['A', '1']]],
    [
      'A=1\r\nB=2\r\n',
      [
        ['A', '1'],
        ['B', '2'],
      ],
    ],
    ['\n  \n# A=1\n   # B\n\tC=3\n', [['C', '3']]],
    ['\u00a0A=1', [['A', '1']]],
    ['a.b-c_D=1', [['a.b-c_D', '1']]],
    ['A=1\nA=2', [['A', '2']]],
    ['', []],
    ['__proto__=1', [['__proto__', '1']]],
  ])('is read: %j', (text, variables) => {
    expect(read(text)).toEqual(variables);
  });

  const key = "has no valid key name: letters, digits, '-', '_' and '.', no digit first";
  it.each([
    ['A=1\nsecret', 'line 2 is not a valid env var definition (KEY=VAL)'],
    ['=secret', `line 1 ${key}`],
    ['1A=secret', `line 1 ${key}`],
    ['A B=secret', `line 1 ${key}`],
    ['..=secret', `line 1 ${key}`],
    ['.=secret', `line 1 ${key}`],
    [`${'A'.repeat(254)}=secret`, `line 1 ${key}`],
    ['A=1\n\ufeffB=secret', `line 2 ${key}`],
    [Uint8Array.of(0x41, 0x3d, 0xff), 'it is not UTF-8 text'],
  ])('is refused without a word of what it says: %j', (text, problem) => {
    expect(read(text)).toBe(problem);
  });

  it('never breaks, and never tells what it says', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const problem = read(`x\u{1f511}${text}`);
        expect(problem).toBeTypeOf('string');
        expect(problem).not.toContain('\u{1f511}');
      }),
    );
  });
});
