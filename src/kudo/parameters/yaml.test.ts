import { describe, expect, it } from 'vitest';
import { readYaml, YamlError } from './yaml.ts';

// Every value is what sigs.k8s.io/yaml 1.2.0 on yaml.v2 2.3.0 makes of the text, which is what KUDO 0.19.0 reads with.
describe('YAML as KUDO reads it', () => {
  it.each<[string, unknown]>([
    ['', null],
    ['# only a comment', null],
    ['[y, Yes, on, TRUE, n, No, off, False]', [true, true, true, true, false, false, false, false]],
    ['[tRUE, "yes", \'1\', oN]', ['tRUE', 'yes', '1', 'oN']],
    ['[~, null, Null, NULL]', [null, null, null, null]],
    ['[010, 08, 0o17, 0x1F, 0b11, -0b11, +12, -7, 1_000, 0777, -010]', [8, 8, 15, 31, 3, -3, 12, -7, 1000, 511, -8]],
    [
      '[1:30, 190:20:30, 2020-01-01, 2020-01-01T10:00:00Z]',
      ['1:30', '190:20:30', '2020-01-01', '2020-01-01T10:00:00Z'],
    ],
    ['[1e3, 1.50, .5, 5., +.5, 1_0.5, 1e400, 0x]', [1000, 1.5, 0.5, 5, 0.5, 10.5, '1e400', '0x']],
    ['[18446744073709551615, -9223372036854775809, 123456789012]', [2 ** 64, -(2 ** 63), 123456789012]],
    ['[., -x, +, 1__0, _1, "-"]', ['.', '-x', '+', 10, '_1', '-']],
    ['- 1\n- \n- 3', [1, null, 3]],
    ['a: 1\na: 2', { a: 2 }],
    ['y: n', { true: false }],
    ['{1: a, 1.5: b, 123456789012: c, on: d}', { 1: 'a', 1.5: 'b', 123456789012: 'c', true: 'd' }],
    ['{a, b: }', { a: null, b: null }],
    ['- &a {x: 1}\n- *a', [{ x: 1 }, { x: 1 }]],
    ['x: &a {p: 1, q: 2}\nz: {<<: *a, q: 3}', { x: { p: 1, q: 2 }, z: { p: 1, q: 3 } }],
    ['x: &a {p: 1, q: 2}\nz: {q: 3, <<: *a}', { x: { p: 1, q: 2 }, z: { q: 2, p: 1 } }],
    ['x: &a {p: 1}\nw: &b {p: 2, r: 1}\nz: {<<: [*a, *b]}', { x: { p: 1 }, w: { p: 2, r: 1 }, z: { p: 1, r: 1 } }],
    ['---\na: 1\n---\nb: 2', { a: 1 }],
    ['[!!str 1, !!int "3", !!binary aGk=, !foo bar]', ['1', 3, 'hi', 'bar']],
    ['just text', 'just text'],
  ])('takes %j', (text, value) => {
    expect(readYaml(text)).toEqual(value);
  });

  it.each([
    '[1,2',
    '{a: 1',
    '"open',
    '*nope',
    '&a [*a]',
    'a: b: c',
    '\t- a',
    '? [1]\n: x',
    'null: a',
    '[.inf]',
    'a: .nan',
    'a: {<<: 3}',
  ])('refuses %j', (text) => {
    expect(() => readYaml(text)).toThrow(YamlError);
  });

  it('keeps keys that JavaScript has a meaning for', () => {
    const value = readYaml('__proto__: {polluted: 1}\nconstructor: 2') as object;
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('ends bombs', () => {
    const laughs = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let i = 1; i < 9; i++)
      laughs.push(
        `a${i}: &a${i} [${Array(10)
          .fill(`*a${i - 1}`)
          .join(', ')}]`,
      );
    expect(() => readYaml(laughs.join('\n'))).toThrow('more than 200000 values');
    expect(() => readYaml(`${'['.repeat(600)}${']'.repeat(600)}`)).toThrow('nested too deeply');
    expect(() => readYaml(`${'['.repeat(4000)}${']'.repeat(4000)}`)).toThrow('nested too deeply');
    expect(() => readYaml('&a '.repeat(4000))).toThrow('at most one anchor');
  });

  it('says where it is wrong', () => {
    expect(() => readYaml('a: 1\nb: [1')).toThrow(/ at line 2$/);
  });
});
