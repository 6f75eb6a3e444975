import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { templateFunctions } from '../../src/kudo/render/functions.ts';
import { usesOf } from '../../src/kudo/template/analysis.ts';
import type { Limits } from '../../src/kudo/template/limits.ts';
import { parseTemplate, renderTemplate } from '../../src/kudo/template/template.ts';
import { TemplateError } from '../../src/kudo/template/template-error.ts';
import { answer, cases, ending } from './fuzz.ts';
import { hostileText, longText, mutated, trapNames } from './hostile.ts';

const data = {
  Params: { NODES: '3', NAME: 'x', LIST: ['a', 'b', null], MAP: { k: 'v', __proto__x: 1 }, BIG: 1e300, EMPTY: '' },
  Name: 'instance',
};
const key = new Uint8Array(32).fill(7);
/** Small, so that a case takes little time; what is checked is that they hold. */
const limits: Limits = { output: 20_000, steps: 20_000, depth: 60, memory: 200_000, variables: 200, work: 2_000_000 };
const functionNames = [...templateFunctions.keys()];

/** Renders, and holds what was spent against what may be spent. One more call may be under way when it is noticed. */
function rendered(text: string): void {
  const parsed = answer(
    () => parseTemplate({ name: 't.yaml', text }, templateFunctions),
    TemplateError,
    text.length * 2,
  );
  if (!('value' in parsed)) return;
  usesOf(parsed.value);
  let spent = 0;
  const render = () => renderTemplate(parsed.value, data, { key, limits, spent: (work) => (spent = work) });
  const first = answer(render, TemplateError, text.length * 2 + limits.output);
  expect(spent).toBeLessThan(2 * limits.work);
  const second = answer(render, TemplateError, text.length * 2 + limits.output);
  expect(second).toEqual(first);
  if ('value' in first) {
    expect(first.value.length).toBeLessThanOrEqual(limits.output);
    expect(first.value.isWellFormed()).toBe(true);
  }
}

/** Templates that are mostly right: the language's own grammar, with every function there is. */
const { block } = fc.letrec<{ block: string; pipe: string; operand: string }>((tie) => ({
  operand: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(
      '.',
      '$',
      '.Params',
      '.Params.NODES',
      '.Params.LIST',
      '.Params.MAP',
      '.Params.BIG',
      '.Params.NONE',
      '$x',
      '.k',
    ),
    fc.constantFrom(
      '1',
      '0',
      '-1',
      '3.5',
      '1e9',
      '9223372036854775807',
      '0x7f',
      'true',
      'nil',
      "'a'",
      '"%v %d %s"',
      '"a"',
      '""',
      '`\\d+`',
      '"(a+)+$"',
    ),
    fc.constantFrom(
      ...trapNames.map((name) => JSON.stringify(name)),
      JSON.stringify('\u0000\ud83d'),
      '"99999999999999999999"',
      '10000000',
    ),
    tie('pipe').map((pipe) => `(${pipe})`),
  ),
  pipe: fc
    .array(
      fc.tuple(
        fc.constantFrom(
          ...functionNames,
          'print',
          'printf',
          'index',
          'len',
          'eq',
          'lt',
          'and',
          'or',
          'not',
          'slice',
          'html',
          'js',
        ),
        fc.array(tie('operand'), { maxLength: 3 }),
      ),
      {
        minLength: 1,
        maxLength: 3,
      },
    )
    .map((calls) => calls.map(([name, operands]) => [name, ...operands].join(' ')).join(' | ')),
  block: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(tie('pipe'), tie('operand')).map((pipe) => `{{ ${pipe} }}`),
    hostileText(['text\n', '  '], 2).map((text) => text.replaceAll('{{', '')),
    fc
      .tuple(tie('pipe'), tie('block'), tie('block'))
      .map(([pipe, one, other]) => `{{ if ${pipe} }}${one}{{ else }}${other}{{ end }}`),
    fc
      .tuple(fc.oneof(tie('pipe'), fc.constantFrom('.Params.LIST', 'until 1000', 'until 30', '.Params')), tie('block'))
      .map(([pipe, body]) => `{{ range $x := ${pipe} }}${body}{{ end }}`),
    fc.tuple(tie('operand'), tie('block')).map(([one, body]) => `{{ with $x := ${one} }}${body}{{ end }}`),
    tie('block').map((body) => `{{ define "d" }}${body}{{ template "d" . }}{{ end }}{{ template "d" . }}`),
    fc.array(tie('block'), { maxLength: 3 }).map((blocks) => blocks.join('')),
  ),
}));

describe('a template', () => {
  it('that follows the grammar renders within its limits, twice the same', () => {
    fc.assert(
      fc.property(block, (text) => {
        ending(() => rendered(text));
      }),
      cases(250),
    );
  });

  it('that somebody broke renders, or says where it is wrong', () => {
    const originals = [
      '{{- range $i, $x := until (int .Params.NODES) }}\nname: {{ $.Name }}-{{ $i }}\n{{- end }}',
      '{{ if and (eq .Name "x") (gt 3 2) }}{{ .Params.NAME | quote | indent 4 }}{{ else }}{{ toYaml .Params }}{{ end }}',
      '{{ define "a" }}{{ . | b64enc }}{{ end }}{{ template "a" .Name }}{{/* c */}}{{ $m := dict "a" 1 }}{{ $m.a }}',
    ];
    const words = [
      '{{',
      '}}',
      '{{-',
      '-}}',
      '|',
      '$',
      ':=',
      '(',
      ')',
      '/*',
      '*/',
      '{{ end }}',
      '{{ else }}',
      '{{ break }}',
      ' . ',
      '"',
    ];
    fc.assert(
      fc.property(mutated(originals, [...words, ...functionNames]), (text) => {
        ending(() => rendered(text));
      }),
      cases(250),
    );
  });

  it('is read to its end, however long it is', () => {
    const words = [
      '{{',
      '{{ (',
      '{{ . }}',
      '{{ if 1 }}',
      '{{ define "a" }}',
      '{{ 1 | print',
      ' | print',
      '{{/*',
      '{{ "',
      '-',
      '\n',
      '{{ `',
      '(',
    ];
    fc.assert(
      fc.property(longText(words, 60_000), ({ text }) => {
        ending(() =>
          answer(() => parseTemplate({ name: 't.yaml', text }, templateFunctions), TemplateError, text.length * 2),
        );
      }),
      cases(40),
    );
  });
});
