import { describe, expect, it } from 'vitest';
import type { OperatorVersion, Parameter } from '../resources/operator-version.ts';
import { ParameterError, valuesFor } from './values-for.ts';

function version(...parameters: readonly Parameter[]): OperatorVersion {
  return { apiVersion: 'kudo.dev/v1beta1', kind: 'OperatorVersion', metadata: { name: 'v' }, spec: { parameters } };
}

describe('what templates see of parameters', () => {
  it('is the value, else the default, else an empty text', () => {
    const seen = valuesFor(version({ name: 'A', default: 'a' }, { name: 'B', default: 'b' }, { name: 'C' }), { A: '' });
    expect(seen).toEqual({ A: '', B: 'b', C: '' });
  });

  it('is a text for every type but array and map', () => {
    const typed = (name: string, type: string, value: string): Parameter => ({
      name,
      'value-type': type,
      default: value,
    });
    const seen = valuesFor(
      version(
        typed('I', 'integer', '42'),
        typed('N', 'number', '1.50'),
        typed('F', 'boolean', 'T'),
        typed('U', 'unheard-of', '[1]'),
        typed('L', 'array', '- one\n- 3\n- y\n'),
        typed('M', 'map', '{"big": 123456789012, "n": null}'),
      ),
      {},
    );
    expect(seen).toEqual({
      I: '42',
      N: '1.50',
      F: 'T',
      U: '[1]',
      L: ['one', 3, true],
      M: { big: 123456789012, n: null },
    });
  });

  it('is a list of nothing for an empty array, and null for an empty map', () => {
    const parameters = version(
      { name: 'L', 'value-type': 'array', default: '[1]' },
      { name: 'M', 'value-type': 'map' },
    );
    expect(valuesFor(parameters, { L: '' })).toEqual({ L: [], M: null });
  });

  it('leaves out what the version does not know, and takes what is not a text for nothing', () => {
    expect(valuesFor(version({ name: 'A', default: 'a' }), { A: 1, X: 'x' })).toEqual({ A: 'a' });
    expect(valuesFor(version({ name: 'A' }), null)).toEqual({ A: '' });
    expect(valuesFor({} as OperatorVersion, { A: '1' })).toEqual({});
  });

  it('does not take a name that every object has for a value', () => {
    expect(valuesFor(version({ name: 'toString', default: 'd' }, { name: '__proto__', default: 'p' }), {})).toEqual(
      Object.fromEntries([
        ['toString', 'd'],
        ['__proto__', 'p'],
      ]),
    );
  });

  it('names the parameter whose value cannot be read', () => {
    const broken = version({ name: 'L', 'value-type': 'array', default: '{a: 1}' });
    expect(() => valuesFor(broken, {})).toThrow(
      new ParameterError('L', 'parameter "L" is of type array, but its value is not a list'),
    );
    expect(() => valuesFor(broken, { L: '[1' })).toThrow(/^parameter "L" is not YAML: /);
  });
});
