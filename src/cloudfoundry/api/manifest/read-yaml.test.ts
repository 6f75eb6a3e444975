import { describe, expect, it } from 'vitest';
import { readYaml } from './read-yaml.ts';

describe('YAML', () => {
  it('is read with its aliases and merged maps', () => {
    expect(readYaml('a: &x {b: 1}\nc: *x')).toEqual({ a: { b: 1 }, c: { b: 1 } });
  });

  it.each(['a: 1\na: 2', 'x: {a: 1, "a": 2}', '- {1: a, "1": b}'])('has no key twice: %j', (text) => {
    expect(() => readYaml(text)).toThrow('is there twice');
  });

  it('is read in time that follows its length', () => {
    const text = Array.from({ length: 20_000 }, (_, at) => `k${at}: v`).join('\n');
    expect(Object.keys(readYaml(text) as object)).toHaveLength(20_000);
  });
});
