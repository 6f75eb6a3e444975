import { describe, expect, it } from 'vitest';
import { usesOf } from './analysis.ts';
import type { FunctionTable } from './function.ts';
import { parseTemplate } from './template.ts';

const any = { params: [], variadic: 'interface {}', call: () => null } as const;
const functions: FunctionTable = new Map(['dict', 'list', 'toYaml', 'hasKey', 'default'].map((name) => [name, any]));

function uses(text: string) {
  const { params, pipes, implicits, wholeParams } = usesOf(parseTemplate({ name: 't', text }, functions));
  return { params: [...params.keys()], pipes: [...pipes], implicits: [...implicits.keys()], wholeParams };
}

const nothing = { params: [], pipes: [], implicits: [], wholeParams: false };

describe('what a template reads', () => {
  it.each([
    ['{{ .Params.A }}', ['A']],
    ['{{ .Params.A.b.c }}', ['A']],
    ['{{ $.Params.A }}', ['A']],
    ['{{ (.Params).A }} {{ ($.Params).B }}', ['A', 'B']],
    ['{{ ((.Params)).A.x }}', ['A']],
    ['{{ index .Params "A" }}', ['A']],
    ['{{ index $.Params "A" 0 }}', ['A']],
    ['{{ index (.Params) "A" }}', ['A']],
    ['{{ (index .Params "A").b }}', ['A']],
    ['{{ index .Params.A "b" }}', ['A']],
    ['{{ index .Params.A 0 }}', ['A']],
    ['{{ print .Params.A (print .Params.B | print .Params.C) }}', ['A', 'B', 'C']],
    [
      '{{ if .Params.A }}{{ .Params.B }}{{ else if .Params.C }}{{ else }}{{ .Params.D }}{{ end }}',
      ['A', 'B', 'C', 'D'],
    ],
    ['{{ with .Params.A }}{{ $.Params.B }}{{ else }}{{ .Params.C }}{{ end }}', ['A', 'B', 'C']],
    ['{{ range .Params.A }}{{ $.Params.B }}{{ .Params.C }}{{ else }}{{ .Params.D }}{{ end }}', ['A', 'B', 'C', 'D']],
    ['{{ define "x" }}{{ .Params.A }}{{ end }}{{ template "x" . }}{{ template "x" .Params.B }}', ['A', 'B']],
    ['{{ block "x" . }}{{ .Params.A }}{{ end }}', ['A']],
    ['{{ $x := .Params.A }}{{ $x.b }}', ['A']],
    ['{{ $root := . }}{{ $root.Params.A }}', ['A']],
    ['{{ template "x" dict "root" . "a" $ }}{{ define "x" }}{{ .root.Params.A }}{{ end }}', ['A']],
    ['{{ template "x" (list $ .) }}{{ define "x" }}{{ end }}', []],
    ['{{ index (index .Params "A") "b" }}', ['A']],
  ])('parameters: %s', (text, params) => {
    expect(uses(text)).toMatchObject({
      params: expect.arrayContaining(params),
      wholeParams: false,
      implicits: [],
      pipes: [],
    });
    expect(uses(text).params).toHaveLength(params.length);
  });

  it.each([
    '{{ range .Params }}{{ end }}',
    '{{ range $k, $v := $.Params }}{{ end }}',
    '{{ with .Params }}{{ .A }}{{ end }}',
    '{{ index .Params .Name }}',
    '{{ $p := .Params }}{{ $p.A }}',
    '{{ toYaml .Params }}',
    '{{ hasKey .Params "A" }}',
    '{{ .Params | toYaml }}',
    '{{ template "x" .Params }}{{ define "x" }}{{ end }}',
    '{{ dict "p" .Params }}',
    '{{ toYaml . }}',
    '{{ toYaml $ }}',
    '{{ print (toYaml .) }}',
    '{{ . }}',
    '{{ $ }}',
    '{{ range . }}{{ end }}',
    '{{ if . }}{{ end }}',
    '{{ index . "Params" "A" }}',
    '{{ (.Params | toYaml).A }}',
    '{{ (toYaml .Params).A }}',
    '{{ $x := . | toYaml }}',
    '{{ $x := toYaml . }}',
    '{{ template "x" . | toYaml }}{{ define "x" }}{{ end }}',
    '{{ template "x" toYaml $ }}{{ define "x" }}{{ end }}',
    '{{ with .A }}{{ toYaml $ }}{{ end }}',
    '{{ with .A }}{{ else }}{{ toYaml . }}{{ end }}',
    '{{ if .A }}{{ toYaml . }}{{ end }}',
  ])('all of the parameters, perhaps: %s', (text) => {
    expect(uses(text).wholeParams).toBe(true);
  });

  it('none where the dot is something else, or is only put somewhere', () => {
    expect(uses('{{ with .A }}{{ toYaml . }}{{ . }}{{ end }}').wholeParams).toBe(false);
    expect(uses('{{ range .A }}{{ toYaml . }}{{ if . }}{{ . }}{{ end }}{{ end }}').wholeParams).toBe(false);
    expect(uses('{{ $x := . }}{{ $y := $ }}{{ $z := list . $ }}{{ dict "a" . }}').wholeParams).toBe(false);
    expect(uses('{{ (.Params | toYaml).A }}{{ (toYaml .Params).B }}').params).toEqual([]);
  });

  it('other names at the root, but not those of other things', () => {
    expect(uses('{{ .Name }}{{ $.Namespace }}{{ index $ "Plan" }}')).toEqual({
      ...nothing,
      implicits: ['Name', 'Namespace', 'Plan'],
    });
    expect(uses('{{ range .List }}{{ .item }}{{ $.Name }}{{ else }}{{ .Other }}{{ end }}').implicits).toEqual([
      'List',
      'Name',
      'Other',
    ]);
    expect(
      uses('{{ with .A }}{{ .b }}{{ if .c }}{{ .d }}{{ end }}{{ end }}{{ if .E }}{{ .F }}{{ end }}').implicits,
    ).toEqual(['A', 'E', 'F']);
    expect(uses('{{ define "x" }}{{ .y }}{{ . }}{{ end }}{{ template "x" .Z }}').implicits).toEqual(['Z']);
    expect(uses('{{ $x := 1 }}{{ $x }}{{ $x.y }}{{ (print 1).z }}{{ print.z }}{{ 1 }}{{ "a" }}{{ nil }}text')).toEqual(
      nothing,
    );
  });

  it('pipes', () => {
    expect(uses('{{ .Pipes.cert }}{{ $.Pipes.key.x }}{{ index .Pipes "other" }}{{ .Pipes }}')).toEqual({
      ...nothing,
      pipes: ['cert', 'key', 'other'],
    });
  });

  it('tells every place, by line and byte', () => {
    const text = 'é {{ .Params.A }}\n{{ .Params.B }}{{ $.Params.A }} {{ .Name }}';
    const { params, implicits } = usesOf(parseTemplate({ name: 't', text }, functions));
    expect(Object.fromEntries(params)).toEqual({
      A: [
        { line: 1, column: 13 },
        { line: 2, column: 19 },
      ],
      B: [{ line: 2, column: 10 }],
    });
    expect(Object.fromEntries(implicits)).toEqual({ Name: [{ line: 2, column: 35 }] });
  });

  it('tells places also where it does not walk in the order of the text', () => {
    const text = '{{ .A }}\n{{ define "x" }}{{ .Params.B }}{{ end }}\n{{ .C }}';
    const { params, implicits } = usesOf(parseTemplate({ name: 't', text }, functions));
    expect(params.get('B')).toEqual([{ line: 2, column: 26 }]);
    expect(Object.fromEntries(implicits)).toEqual({ A: [{ line: 1, column: 3 }], C: [{ line: 3, column: 3 }] });
  });
});
