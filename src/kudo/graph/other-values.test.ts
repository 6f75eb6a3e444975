import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isOnlyPrinted, otherValues, someValue } from './other-values.ts';

describe('other values of a parameter', () => {
  it('are the other words of an enum', () => {
    expect(otherValues({ name: 'A', enum: ['x', 'y', 'z'] }, 'y', '')).toEqual(['x', 'z']);
  });

  it('are below and above a number, whether or not it says that it is one', () => {
    for (const parameter of [{ name: 'N', 'value-type': 'integer' }, { name: 'N' }]) {
      expect(otherValues(parameter, '3', '')).toEqual(['4', '1', '0', '7', '2', '1000']);
    }
  });

  it('keep the unit of an amount', () => {
    expect(otherValues({ name: 'M' }, '512Mi', '')[0]).toBe('513Mi');
  });

  it('are the words that the template compares with', () => {
    expect(otherValues({ name: 'MODE' }, 'single', '{{ if eq .Params.MODE "cluster" }}"no word"{{ end }}')).toEqual([
      'single-other',
      '',
      'cluster',
    ]);
  });

  it('are never the present one, never twice, and few, whatever the template', () => {
    const types = fc.constantFrom(undefined, 'integer', 'number', 'boolean', 'array', 'map', 'string', 'odd');
    fc.assert(
      fc.property(types, fc.string(), fc.string({ maxLength: 200 }), (type, present, template) => {
        const values = otherValues({ name: 'P', ...(type && { 'value-type': type }) }, present, `{{ "a" }}${template}`);
        expect(values).not.toContain(present);
        expect(new Set(values).size).toBe(values.length);
        expect(values.length).toBeLessThanOrEqual(10);
        expect(values.length).toBeGreaterThan(0);
      }),
    );
  });
});

describe('a value for what has none', () => {
  it('fits its type', () => {
    const of = (type: string) => someValue({ name: 'P', 'value-type': type });
    expect(['integer', 'number', 'boolean', 'array', 'map', 'string'].map(of)).toEqual([
      '1',
      '1',
      'true',
      '[sample]',
      '{sample: sample}',
      'sample',
    ]);
    expect(someValue({ name: 'P', enum: ['first', 'second'] })).toBe('first');
  });
});

describe('a parameter that is only printed', () => {
  it.each([
    '{{ .Params.P }}',
    '{{- .Params.P -}}',
    '{{ .Params.P | quote }}',
    '{{ $.Params.P | indent 4 }}',
    '{{ quote .Params.P }}',
  ])('is one in %s', (template) => {
    expect(isOnlyPrinted('P', `a: ${template}\n`)).toBe(true);
  });

  it.each([
    '{{ if .Params.P }}a{{ end }}',
    '{{ .Params.P | default .Params.Q }}',
    '{{ $p := .Params.P }}',
    '{{ range .Params }}{{ end }}',
    'P',
  ])('is none in %s', (template) => {
    expect(isOnlyPrinted('P', template)).toBe(false);
  });
});
