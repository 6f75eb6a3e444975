import fc from 'fast-check';
import type { TemplateData } from '../../../src/kudo/template/data.ts';
import { TEMPLATES_DATA } from '../../golden/kudo/templates-questions.ts';

/** What the made templates are rendered with: every sort of value, empty and not. */
export const DATA: TemplateData = TEMPLATES_DATA;

const chosen = <T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);

const literal = chosen(
  ...[
    '1',
    '0',
    '-3',
    '+7',
    '42',
    '1.5',
    '1e6',
    '-0.25',
    '0x1F',
    '0b101',
    '0o17',
    '017',
    '1_000',
    "'a'",
    "'\\n'",
    '100000000000',
  ],
  ...[
    '"a"',
    '""',
    '"two words"',
    '"l1\\nl2\\t\\"q\\""',
    '"\\u00e9\\x41"',
    '`raw "x"`',
    '"%d"',
    '"<&>"',
    '"k"',
    '"a.b"',
  ],
  ...['true', 'false', 'nil', '.', '$', '9223372036854775807', '9223372036854775808', '1e999', '3.0'],
);

const field = chosen(
  ...['.Name', '.text', '.empty', '.n', '.big', '.zero', '.yes', '.no', '.nothing', '.list', '.none', '.map', '.bare'],
  ...['.map.a', '.map.b', '.map.b.c', '.map.b.e', '.map.b.c.x', '.map.b.e.x', '.nope', '.map.nope', '.list.x', '.n.x'],
  ...[
    '.Params.REPLICAS',
    '.Params.ITEMS',
    '.Params.TABLE',
    '.Params.TABLE.k1',
    '$.Name',
    '$.map.b',
    '$x',
    '$x.a',
    '$y',
    '$i',
  ],
);

const format = chosen(
  '"%v"',
  '"%s|%d"',
  '"%5.2f"',
  '"%-8q|"',
  '"%+v %T"',
  '"%#v"',
  '"%x %X"',
  '"%08.3f"',
  '"%c %U"',
  '"%[2]v %[1]v"',
  '"%*d"',
  '"%t"',
  '"%e %g"',
  '"%o %b"',
  '"%d%%"',
  '"%!"',
  '"%"',
  '"% x"',
  '"%#x"',
  '"%+d"',
  '"%3c|"',
  '"%.2s"',
  '"%q"',
  '"%6v|%-6v|"',
);

const unary = chosen(
  'len',
  'not',
  'print',
  'println',
  'html',
  'js',
  'urlquery',
  'and',
  'or',
  'index',
  'slice',
  'call',
  'eq',
  'ne',
);
const binary = chosen(
  'eq',
  'ne',
  'lt',
  'le',
  'gt',
  'ge',
  'and',
  'or',
  'index',
  'print',
  'println',
  'printf',
  'slice',
  'call',
);
const many = chosen('eq', 'and', 'or', 'print', 'printf', 'index', 'slice', 'html', 'lt');
const space = fc.oneof(
  { weight: 8, arbitrary: fc.constant(' ') },
  { weight: 1, arbitrary: chosen('  ', '\t', ' \n ') },
);
const joined = (...parts: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(...parts).map((texts) => texts.join(''));

type Grammar = {
  readonly operand: string;
  readonly command: string;
  readonly pipeline: string;
  readonly statement: string;
  readonly body: string;
};

const grammar = fc.letrec<Grammar>((tie) => ({
  operand: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 5, arbitrary: literal },
    { weight: 6, arbitrary: field },
    { weight: 4, arbitrary: joined(fc.constant('('), tie('pipeline'), fc.constant(')')) },
    { weight: 1, arbitrary: joined(fc.constant('('), tie('pipeline'), chosen(').a', ').b.c', ').k', ').x')) },
  ),
  command: fc.oneof(
    { depthSize: 'small' },
    { weight: 4, arbitrary: tie('operand') },
    { weight: 3, arbitrary: joined(unary, space, tie('operand')) },
    { weight: 4, arbitrary: joined(binary, space, tie('operand'), space, tie('operand')) },
    { weight: 3, arbitrary: joined(fc.constant('printf '), format, space, tie('operand'), space, tie('operand')) },
    { weight: 2, arbitrary: joined(many, space, tie('operand'), space, tie('operand'), space, tie('operand')) },
    { weight: 1, arbitrary: joined(tie('operand'), space, tie('operand')) },
    { weight: 1, arbitrary: chosen('print', 'len', 'eq', 'and', 'not', 'printf') },
  ),
  pipeline: fc.oneof(
    { depthSize: 'small' },
    { weight: 6, arbitrary: tie('command') },
    {
      weight: 2,
      arbitrary: joined(
        tie('command'),
        chosen(' | ', '|'),
        chosen(
          'print',
          'len',
          'not',
          'html',
          'printf "%v"',
          'eq 1',
          'and 1',
          'or 0',
          'index .map',
          'js',
          '.Name',
          '.x',
          '$',
        ),
      ),
    },
    { weight: 1, arbitrary: joined(tie('command'), fc.constant(' | '), tie('command')) },
  ),
  statement: fc.oneof(
    { depthSize: 'small' },
    { weight: 4, arbitrary: chosen('text', ' ', '\n', ' a\n  b ', 'ü', '{', '}', '-', 'a: b\n') },
    { weight: 8, arbitrary: joined(chosen('{{', '{{ ', '{{- '), tie('pipeline'), chosen('}}', ' }}', ' -}}')) },
    {
      weight: 2,
      arbitrary: joined(chosen('{{ $x := ', '{{$y:=', '{{ $x = ', '{{- $i := '), tie('pipeline'), fc.constant(' }}')),
    },
    {
      weight: 1,
      arbitrary: chosen(
        '{{/* c */}}',
        '{{- /* c */ -}}',
        '{{ break }}',
        '{{continue}}',
        '{{template "t" .}}',
        '{{template "u"}}',
        '{{ template `t` .map }}',
      ),
    },
    {
      weight: 2,
      arbitrary: joined(
        fc.constant('{{ if '),
        tie('pipeline'),
        fc.constant(' }}'),
        tie('body'),
        chosen('{{else}}', '{{ else if .yes }}', '{{else if .no}}A{{else}}'),
        tie('body'),
        fc.constant('{{end}}'),
      ),
    },
    {
      weight: 2,
      arbitrary: joined(
        chosen('{{ with ', '{{with $x := '),
        tie('pipeline'),
        fc.constant(' -}} '),
        tie('body'),
        chosen('{{end}}', '{{else}}W{{end}}', '{{else with .Name}}{{.}}{{end}}'),
      ),
    },
    {
      weight: 3,
      arbitrary: joined(
        chosen('{{ range ', '{{range $i := ', '{{ range $i, $x := ', '{{range $y, $x = '),
        chosen('.list', '.none', '.map', '.Params.ITEMS', '.Params.TABLE', '3', '.nothing', '.text', '$.list'),
        fc.constant(' }}'),
        tie('body'),
        chosen(
          '{{ end }}',
          '{{else}}none{{end}}',
          '{{if eq . 1}}{{break}}{{end}}{{end}}',
          '{{if .}}{{continue}}{{end}}!{{end}}',
        ),
      ),
    },
    {
      weight: 1,
      arbitrary: joined(
        fc.constant('{{block "b" '),
        tie('pipeline'),
        fc.constant('}}'),
        tie('body'),
        fc.constant('{{end}}'),
      ),
    },
  ),
  body: fc.array(tie('statement'), { maxLength: 3, size: 'small' }).map((parts) => parts.join('')),
}));

const definitions = chosen(
  '',
  '',
  '{{define "t"}}<{{.}}>{{end}}',
  '{{ define "t" -}} {{ .a }} {{- end }}{{define "u"}}{{$}}{{end}}\n',
);
const declarations = chosen(
  '{{ $x := .map }}{{ $y := 1 }}{{ $i := "i" }}',
  '{{- $x := .map -}}\n{{ $y := .nothing }}{{$i := 0}}',
  '',
);

const whole = joined(
  definitions,
  declarations,
  fc.array(grammar.statement, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
);

/** A template in which one character is gone, doubled or another. */
const broken = fc
  .tuple(
    whole,
    fc.nat(),
    chosen(
      '',
      '',
      '}',
      '{',
      '"',
      '(',
      ')',
      ' ',
      '|',
      '.',
      '$',
      ':=',
      '=',
      ',',
      '\n',
      '%',
      '-',
      'é',
      '`',
      "'",
      '1',
      '\u0001',
    ),
    fc.boolean(),
  )
  .map(([text, at, put, keeps]) => {
    const place = at % (text.length + 1);
    return text.slice(0, place) + put + text.slice(keeps ? place : place + 1);
  });

/** Templates, most of which mean something and some of which are damaged. */
export const madeTemplates = fc.oneof({ weight: 3, arbitrary: whole }, { weight: 1, arbitrary: broken });
