import { describe, expect, it } from 'vitest';
import type { Parameter } from '../resources/operator-version.ts';
import { valueProblem } from './value-problem.ts';

const typed = (type: string): Parameter => ({ name: 'P', 'value-type': type });

describe('a value of a parameter', () => {
  it.each<[string, Parameter, string]>([
    ['any text', { name: 'P' }, 'x'],
    ['any text of an unknown type', typed('colour'), 'x'],
    ['an integer', typed('integer'), '-7'],
    ['a number', typed('number'), '1e3'],
    ['a boolean', typed('boolean'), 'F'],
    ['a list', typed('array'), '[1, {a: b}]'],
    ['a list that is null', typed('array'), '~'],
    ['a map', typed('map'), 'a: 1'],
    ['a word of the enum', { name: 'P', enum: ['a', 'b'] }, 'b'],
    ['nothing, whatever the type', { name: 'P', 'value-type': 'integer', enum: ['1'] }, ''],
    ['nothing, if there is a default', { name: 'P', required: true, default: '' }, ''],
    ['nothing, if nobody says that it is required', { name: 'P' }, ''],
  ])('can be %s', (_, parameter, value) => {
    expect(valueProblem(parameter, value)).toBeUndefined();
  });

  it('cannot be a list that takes long to read', () => {
    expect(valueProblem(typed('array'), `[${'1,'.repeat(300_000)}]`)).toContain('type is "array", but format of');
  });

  it.each<[string, Parameter, string, string]>([
    ['missing', { name: 'P', required: true }, '', 'parameter "P" is required but has no value set'],
    [
      'missing beside a null default',
      { name: 'P', required: true, default: null },
      '',
      'parameter "P" is required but has no value set',
    ],
    [
      '4.2 as an integer',
      typed('integer'),
      '4.2',
      'parameter "P" has an invalid value "4.2": type is "integer" but format of "4.2" is invalid: strconv.ParseInt: parsing "4.2": invalid syntax',
    ],
    [
      '1,5 as a number',
      typed('number'),
      '1,5',
      'parameter "P" has an invalid value "1,5": type is "number" but format of "1,5" is invalid: strconv.ParseFloat: parsing "1,5": invalid syntax',
    ],
    [
      'yes as a boolean',
      typed('boolean'),
      'yes',
      'parameter "P" has an invalid value "yes": type is "boolean" but format of "yes" is invalid: strconv.ParseBool: parsing "yes": invalid syntax',
    ],
    [
      'a map as a list',
      typed('array'),
      '{"a": 1}',
      'parameter "P" has an invalid value "{\\"a\\": 1}": type is "array", but format of {"a": 1} is invalid',
    ],
    [
      'a list as a map',
      typed('map'),
      '[1]',
      'parameter "P" has an invalid value "[1]": type is "map", but format of [1] is invalid',
    ],
    [
      'a text as a map',
      typed('map'),
      'text',
      'parameter "P" has an invalid value "text": type is "map", but format of text is invalid',
    ],
    [
      'a word that the enum lacks',
      { name: 'P', enum: ['a', 'b'] },
      'A',
      'parameter "P" has an invalid value "A": value is "A", but only allowed values are [a b]',
    ],
    [
      'any word of an empty enum',
      { name: 'P', enum: [] },
      'A',
      'parameter "P" has an invalid value "A": value is "A", but only allowed values are []',
    ],
    [
      'of a wrong type before it is none of the enum',
      { name: 'P', 'value-type': 'integer', enum: ['1'] },
      'x',
      'parameter "P" has an invalid value "x": type is "integer" but format of "x" is invalid: strconv.ParseInt: parsing "x": invalid syntax',
    ],
  ])('cannot be %s', (_, parameter, value, problem) => {
    expect(valueProblem(parameter, value)).toBe(problem);
  });
});
