import { describe, expect, it } from 'vitest';
import { booleanProblem, parseBool } from './go-bool.ts';
import { integerProblem, numberProblem } from './go-number.ts';

const syntax = (what: string, text: string) => `strconv.${what}: parsing ${text}: invalid syntax`;
const range = (what: string, text: string) => `strconv.${what}: parsing ${text}: value out of range`;

// Every expectation is what Go 1.26 answers.
describe('a text as an integer', () => {
  it.each(['0', '7', '-7', '+7', '007', '9223372036854775807', '-9223372036854775808'])('takes %s', (text) => {
    expect(integerProblem(text)).toBeUndefined();
  });

  it.each(['', '+', '4.2', '1e3', ' 7', '7 ', '1_000', '0x1', 'é', '９', '--1', '9999999999999999999x'])(
    'refuses %j as no integer',
    (text) => {
      expect(integerProblem(text)).toBe(syntax('ParseInt', JSON.stringify(text)));
    },
  );

  it.each(['9223372036854775808', '-9223372036854775809', '18446744073709551616', '99999999999999999999x'])(
    'refuses %s as too large, even if something wrong follows',
    (text) => {
      expect(integerProblem(text)).toBe(range('ParseInt', `"${text}"`));
    },
  );

  it('quotes as Go does', () => {
    expect(integerProblem('a"\n\u200b')).toBe(syntax('ParseInt', '"a\\"\\n\\u200b"'));
  });
});

describe('a text as a number', () => {
  it.each([
    '1',
    '1.5',
    '.5',
    '5.',
    '1e3',
    '1E+3',
    '-1e-400',
    '1_000',
    '1_0.5_0e1_0',
    'inf',
    '+Infinity',
    '-INF',
    'nan',
    'NaN',
    '1.7976931348623157e308',
    '0x1p4',
    '0X.8P+1',
    '0x_1p0',
    '0x1p1023',
    '0x1.fffffffffffff7p1023',
    '0x0p99999',
    '0e99999',
  ])('takes %s', (text) => {
    expect(numberProblem(text)).toBeUndefined();
  });

  it.each([
    '',
    '.',
    'e5',
    '1e',
    '1e+',
    '1,5',
    ' 1',
    '+nan',
    'infin',
    '0x1',
    '0x.p1',
    '1__0',
    '_1',
    '1_',
    '1._5',
    '1_.5',
    '1e_5',
    '0x1_p0',
    '0x1p_2',
    '1.2.3',
  ])('refuses %j as no number', (text) => {
    expect(numberProblem(text)).toBe(syntax('ParseFloat', JSON.stringify(text)));
  });

  it.each(['1e309', '-1e400', '1.7976931348623159e308', '0x1p1024', '0x1.fffffffffffff8p1023', '0x1p99999'])(
    'refuses %s as too large',
    (text) => {
      expect(numberProblem(text)).toBe(range('ParseFloat', `"${text}"`));
    },
  );
});

describe('a text as a boolean', () => {
  it.each(['1', 't', 'T', 'true', 'TRUE', 'True'])('takes %s for true', (text) => {
    expect(parseBool(text)).toBe(true);
    expect(booleanProblem(text)).toBeUndefined();
  });

  it.each(['0', 'f', 'F', 'false', 'FALSE', 'False'])('takes %s for false', (text) => {
    expect(parseBool(text)).toBe(false);
    expect(booleanProblem(text)).toBeUndefined();
  });

  it.each(['yes', 'on', 'tRUE', '', ' true', '2'])('takes %j for neither', (text) => {
    expect(parseBool(text)).toBeUndefined();
    expect(booleanProblem(text)).toBe(syntax('ParseBool', JSON.stringify(text)));
  });
});
