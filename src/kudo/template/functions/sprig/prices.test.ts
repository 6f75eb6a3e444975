import { describe, expect, it } from 'vitest';
import { GoList, GoStringMap, type GoValue } from '../../value.ts';
import { int, int64 } from './define.ts';
import { sprigFunctions } from './sprig-functions.ts';

/** What a call pays beyond what the evaluator takes for its arguments: so much made, and so much work on top. */
interface Price {
  readonly made: number;
  readonly work: number;
}

function priceOf(name: string, args: readonly GoValue[]): Price {
  let [made, work] = [0, 0];
  const room = {
    charge(amount: number) {
      made += amount;
    },
    work(units: number) {
      work += units;
    },
    random: (bytes: number) => new Uint8Array(bytes).map((_, at) => at * 7),
  };
  sprigFunctions.get(name)?.call(args, room);
  return { made, work };
}

const strings = new GoList('[]string', ['ab', 'c']);
const numbers = new GoList('[]int', [int(1), int(2), int(3)]);
const map = (...keys: readonly string[]) => new Map<string, GoValue>(keys.map((key) => [key, 'xy']));
const nested = () => new Map<string, GoValue>([['key', ['ab', int(1)]]]);

/** Ten characters. */
const TEN = 'aaaaaaaaaa';

describe('what functions of sprig cost', () => {
  it.each<[string, readonly GoValue[], Price]>([
    ['lower', [TEN], { made: 10, work: 0 }],
    ['trunc', [int(3), TEN], { made: 3, work: 0 }],
    ['b64enc', [TEN], { made: 16, work: 0 }],
    ['b64dec', [TEN], { made: 35, work: 0 }],
    ['sha1sum', [TEN], { made: 40, work: 0 }],
    ['contains', [TEN, TEN], { made: 0, work: 0 }],
    ['plural', [TEN, TEN, int(1)], { made: 10, work: 0 }],
    ['randNumeric', [int(0)], { made: 0, work: 0 }],
    ['hello', [], { made: 6, work: 0 }],
    ['ternary', [TEN, TEN, true], { made: 10, work: 0 }],
    ['default', [TEN], { made: 10, work: 0 }],
    ['urlJoin', [map('host')], { made: 4, work: 5 * 4 }],
    ['date', [TEN, int64(0n)], { made: 10, work: 100 }],
    ['htmlDate', [int64(0n)], { made: 10, work: 0 }],
    ['dateInZone', [TEN, int64(0n), 'UTC'], { made: 10, work: 100_130 }],
    ['htmlDateInZone', [int64(0n), 'UTC'], { made: 10, work: 100_000 }],
  ])('a text that is returned: %s', (name, args, price) => {
    expect(priceOf(name, args)).toEqual(price);
  });

  it.each<[string, readonly GoValue[], Price]>([
    ['adler32sum', [TEN], { made: 9, work: 50 }],
    ['b32enc', [TEN], { made: 16, work: 600 }],
    ['b32dec', ['AAAAAAAA'], { made: 5, work: 480 }],
    ['camelcase', [TEN], { made: 10, work: 1000 }],
    ['initials', [TEN], { made: 1, work: 100 }],
    ['kebabcase', [TEN], { made: 10, work: 1500 }],
    ['nospace', [TEN], { made: 10, work: 100 }],
    ['snakecase', [TEN], { made: 10, work: 1500 }],
    ['swapcase', [TEN], { made: 10, work: 100 }],
    ['title', [TEN], { made: 10, work: 100 }],
    ['trimAll', [TEN, TEN], { made: 0, work: 100 }],
    ['trimall', [TEN, TEN], { made: 0, work: 100 }],
    ['untitle', [TEN], { made: 10, work: 100 }],
    ['toDate', [TEN, TEN], { made: 0, work: 200 }],
    ['urlParse', [TEN], { made: 0, work: 200 }],
    ['semverCompare', ['>1.0.0', '1.0.0'], { made: 0, work: 36 }],
    ['shuffle', [TEN], { made: 10, work: 500 }],
  ])('a text that is read slowly: %s', (name, args, price) => {
    expect(priceOf(name, args)).toEqual(price);
  });

  it.each<[string, readonly GoValue[], Price]>([
    ['repeat', [int(3), TEN], { made: 60, work: 0 }],
    ['indent', [int(2), 'a\nb'], { made: 15, work: 0 }],
    ['nindent', [int(2), 'a\nb'], { made: 16, work: 0 }],
    ['replace', ['a', 'bcd', 'xaxa'], { made: 18, work: 0 }],
    ['replace', ['', '-', 'abc'], { made: 14, work: 0 }],
    ['join', [', ', strings], { made: 12, work: 80 }],
    ['join', [', ', [int(1), null, TEN]], { made: 28, work: 120 }],
    ['wrap', [int(3), 'aa bb cc'], { made: 14, work: 0 }],
    ['wrapWith', [int(3), '--', 'aaaa bb'], { made: 18, work: 0 }],
    ['cat', [TEN, int(1)], { made: 12, work: 0 }],
    ['quote', [TEN, [int(1), TEN]], { made: 54, work: 5 * (10 + 14) }],
    ['squote', [TEN], { made: 12, work: 0 }],
    ['toString', [numbers], { made: 17, work: 0 }],
    ['randAlpha', [int(4)], { made: 8, work: 200 }],
    ['randAlphaNum', [int(4)], { made: 8, work: 200 }],
    ['randAscii', [int(4)], { made: 8, work: 200 }],
    ['randNumeric', [int(4)], { made: 8, work: 200 }],
    ['uuidv4', [], { made: 36, work: 0 }],
  ])('a text that grows: %s', (name, args, price) => {
    expect(priceOf(name, args)).toEqual(price);
  });

  it.each<[string, readonly GoValue[], Price]>([
    ['split', ['a', 'xaxax'], { made: 24, work: 0 }],
    ['splitList', ['a', 'xaxax'], { made: 24, work: 0 }],
    ['splitn', ['a', int(2), 'xaxax'], { made: 24, work: 0 }],
    ['splitList', ['', 'abc'], { made: 24, work: 0 }],
    ['sortAlpha', [strings], { made: 0, work: 126 }],
    ['sortAlpha', [TEN], { made: 0, work: 0 }],
    ['toStrings', [numbers], { made: 0, work: 120 }],
    ['toStrings', [TEN], { made: 0, work: 0 }],
    ['until', [int(5)], { made: 40, work: 0 }],
    ['untilStep', [int(0), int(5), int(2)], { made: 24, work: 0 }],
    ['append', [strings, TEN], { made: 24, work: 0 }],
    ['prepend', [strings, TEN], { made: 24, work: 0 }],
    ['push', [strings, TEN], { made: 24, work: 0 }],
    ['compact', [numbers], { made: 24, work: 0 }],
    ['concat', [strings, numbers], { made: 40, work: 0 }],
    ['concat', [], { made: 0, work: 0 }],
    ['has', [TEN, strings], { made: 8, work: 20 }],
    ['has', [int(9), numbers], { made: 12, work: 0 }],
    ['has', [['ab'], [['ab'], TEN]], { made: 27, work: 0 }],
    ['uniq', [numbers], { made: 12, work: 0 }],
    ['uniq', [[TEN, TEN, TEN]], { made: 8, work: 20 }],
    ['without', [numbers, int(1), int(2)], { made: 24, work: 0 }],
    ['without', [strings, TEN], { made: 8, work: 3 }],
    ['rest', [numbers], { made: 0, work: 0 }],
    ['list', [TEN, TEN], { made: 0, work: 0 }],
    ['deepEqual', [TEN, TEN], { made: 0, work: 10 }],
    ['deepEqual', [['ab'], ['ab']], { made: 19, work: 0 }],
    ['deepEqual', [nested(), nested()], { made: 47, work: 0 }],
    ['deepEqual', [int(1), int(1)], { made: 0, work: 0 }],
  ])('a list: %s', (name, args, price) => {
    expect(priceOf(name, args)).toEqual(price);
  });

  it.each<[string, readonly GoValue[], Price]>([
    ['dict', ['a', TEN, 'b', TEN], { made: 32, work: 0 }],
    ['dict', ['a'], { made: 8, work: 0 }],
    ['keys', [map('aa', 'b'), map('c')], { made: 24, work: 57 }],
    ['values', [map('aa', 'b')], { made: 16, work: 46 }],
    ['pick', [map('a', 'b'), 'a', 'c'], { made: 16, work: 0 }],
    ['omit', [map('a', 'b', 'c'), 'a'], { made: 16, work: 0 }],
    ['set', [map(), TEN, TEN], { made: 8, work: 0 }],
    ['unset', [map('a'), 'a'], { made: 0, work: 0 }],
    ['hasKey', [map('a'), 'a'], { made: 0, work: 0 }],
    ['pluck', ['a', map('a'), map('a')], { made: 0, work: 0 }],
    ['deepCopy', [nested()], { made: 47, work: 0 }],
    ['deepCopy', [TEN], { made: 21, work: 0 }],
    ['deepCopy', [numbers], { made: 35, work: 0 }],
    ['deepCopy', [new GoStringMap([['_0', 'abc']])], { made: 22, work: 0 }],
    ['merge', [map(), nested()], { made: 47, work: 0 }],
    ['mergeOverwrite', [map(), nested()], { made: 47, work: 0 }],
    ['merge', [map(), map('a'), map('bb')], { made: 41, work: 0 }],
  ])('a dict: %s', (name, args, price) => {
    expect(priceOf(name, args)).toEqual(price);
  });

  it.each<[string, readonly GoValue[], Price]>([
    ['toJson', [TEN], { made: 23, work: 55 }],
    ['toJson', [nested()], { made: 66, work: 250 }],
    ['toJson', [['a', 'bb', int(1), null]], { made: 68, work: 255 }],
    ['toJson', [[]], { made: 10, work: 40 }],
    ['toPrettyJson', [nested()], { made: 97, work: 315 }],
    ['toPrettyJson', [['a', 'bb']], { made: 54, work: 185 }],
    ['toYaml', [TEN], { made: 33, work: 440 }],
    ['toYaml', [nested()], { made: 75, work: 1220 }],
    ['toYaml', [['a', ['bb', map('k')]]], { made: 115, work: 1880 }],
    ['toYaml', [map('long', 'é')], { made: 65, work: 1000 }],
    ['toYaml', [new Map<string, GoValue>([['k', map('a', 'b')]])], { made: 87, work: 1360 }],
  ])('a document: %s', (name, args, price) => {
    expect(priceOf(name, args)).toEqual(price);
  });

  it.each<[string, readonly GoValue[], Price]>([
    ['regexMatch', ['a', TEN], { made: 5, work: 300 }],
    ['regexMatch', ['b', TEN], { made: 5, work: 300 }],
    ['regexFind', ['a+', TEN], { made: 17, work: 500 }],
    ['regexFind', ['b', TEN.repeat(40)], { made: 5, work: 44218 }],
    ['regexFindAll', ['a', TEN, int(-1)], { made: 5, work: 300 }],
    ['regexSplit', ['a', 'xaxax', int(-1)], { made: 5, work: 250 }],
    ['regexReplaceAll', ['a', 'xax', '<$0>'], { made: 13, work: 310 }],
    ['regexReplaceAllLiteral', ['a', 'xax', '<$0>'], { made: 15, work: 230 }],
    ['regexReplaceAll', ['(a)(b)', 'ab'.repeat(60), ''], { made: 15, work: 52632 }],
    ['regexMatch', ['x{20}', TEN], { made: 28, work: 1100 }],
    ['regexMatch', ['(', TEN], { made: 1, work: 200 }],
    ['regexMatch', ['(a?){20}b', TEN.repeat(4)], { made: 93, work: 202600 }],
  ])('a regular expression: %s', (name, args, price) => {
    expect(priceOf(name, args)).toEqual(price);
  });

  it.each<[string, readonly GoValue[], Price]>([
    ['derivePassword', [int(1), 'nope', 'p', 'u', 's'], { made: 34, work: 20000000 }],
    ['genPrivateKey', ['ecdsa'], { made: 227, work: 100000 }],
    ['genPrivateKey', ['foo'], { made: 16, work: 0 }],
    ['encryptAES', [TEN, TEN], { made: 44, work: 0 }],
    ['encryptAES', [TEN, ''], { made: 0, work: 0 }],
    ['decryptAES', [TEN, ''], { made: 0, work: 0 }],
  ])('secrets: %s', (name, args, price) => {
    expect(priceOf(name, args)).toEqual(price);
  });
});
