import { describe, expect, it } from 'vitest';
import { readYaml } from './read-yaml.ts';

describe('YAML', () => {
  it('is read with its aliases and merged maps', () => {
    expect(readYaml('a: &x {b: 1}\nc: *x')).toEqual({ a: { b: 1 }, c: { b: 1 } });
  });

  it.each(['a: 1\na: 2', 'x: {a: 1, "a": 2}', '- {1: a, "1": b}'])('has no key twice: %j', (text) => {
    expect(() => readYaml(text)).toThrow('is there twice');
  });

  it('may have thousands of keys', () => {
    const text = Array.from({ length: 2_000 }, (_, at) => `k${at}: v`).join('\n');
    expect(Object.keys(readYaml(text) as object)).toHaveLength(2_000);
  });

  it.each([
    ['brackets', `a: ${'['.repeat(1_000)}`],
    ['braces', `a: ${'{a: '.repeat(1_000)}`],
    ['dashes', '- '.repeat(1_000)],
    ['questions', '? '.repeat(1_000)],
  ])('nests no deeper than anybody writes: %s', (_what, text) => {
    expect(() => readYaml(text)).toThrow('it nests too deep');
  });

  it.each([
    ['keys', Array.from({ length: 6_000 }, (_, at) => `k${at}: v`).join('\n')],
    ['anchors', '- &a x\n'.repeat(6_000)],
    ['what is wrong', `a: &a {x: 1}\n${'- <<: *a\n'.repeat(6_000)}`],
    ['nothing', '\n'.repeat(60_000)],
  ])('is not read when it has too many parts: %s', (_what, text) => {
    expect(() => readYaml(text)).toThrow('it is too much to read');
  });
});
