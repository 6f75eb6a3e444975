import fc from 'fast-check';

/** Expressions by the type of their value, so that most templates made of them can be rendered. */
type Typed = {
  readonly text: string;
  readonly int: string;
  readonly float: string;
  readonly bool: string;
  readonly list: string;
  readonly map: string;
  readonly any: string;
  readonly statement: string;
};

const chosen = (...values: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...values);
const words = (...parts: readonly (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string> =>
  fc
    .tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part)))
    .map((texts) => texts.join(' '));
const group = (...parts: readonly (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string> =>
  words(...parts).map((text) => `(${text})`);

const number = fc.oneof(
  fc.integer({ min: -1_000_000, max: 1_000_000 }).map(String),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  chosen('0x1F', '0b11', '0o7', "'x'", '1_000'),
);
const decimal = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => decimalText(value)),
  fc.double({ min: -1e7, max: 1e7, noNaN: true }).map((value) => decimalText(value)),
  chosen('1.0', '0.5', '2.5', '1e21', '1e20', '123456789.0', '1e-5', '0.0001', '0x1p4'),
);
const string = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }).map(literal),
  chosen('"a"', '""', '"a b"', '`raw`', '"line\\nbreak"', '"é→𝒳"', '"%"'),
);
const verb = fc
  .tuple(
    fc.subarray(['+', '-', '#', '0', ' ']),
    fc.option(fc.nat({ max: 12 })),
    fc.option(fc.nat({ max: 8 })),
    chosen(...'vvvTtbcdoOqxXUeEfFgGswz'),
  )
  .map(([flags, width, precision, letter]) => {
    return `%${flags.join('')}${width ?? ''}${precision === null ? '' : `.${precision}`}${letter}`;
  });
const format = fc
  .array(fc.oneof(verb, chosen('|', ' ', 'x', '%%')), { minLength: 1, maxLength: 3 })
  .map((parts) => literal(parts.join('')));

const typed = fc.letrec<Typed>((tie) => ({
  text: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 4, arbitrary: string },
    { weight: 3, arbitrary: chosen('.Name', '.text', '.empty', '.map.b.c', '$.Params.REPLICAS', '.Params.TABLE.k1') },
    { weight: 3, arbitrary: group('printf', format, tie('any'), tie('any')) },
    { weight: 2, arbitrary: group('printf', format, tie('any')) },
    { weight: 1, arbitrary: group(chosen('print', 'println', 'html', 'js', 'urlquery'), tie('any'), tie('any')) },
    { weight: 1, arbitrary: group(tie('any'), '|', chosen('print', 'html', 'js', 'urlquery', 'printf "%v-%v" 1')) },
  ),
  int: fc.oneof(
    { depthSize: 'small' },
    { weight: 4, arbitrary: number },
    { weight: 1, arbitrary: group('len', fc.oneof(tie('text'), tie('list'), tie('map'))) },
    { weight: 1, arbitrary: chosen('(index .text 1)', '(index "abc" 0)') },
  ),
  float: fc.oneof(
    { depthSize: 'small' },
    { weight: 3, arbitrary: decimal },
    { weight: 2, arbitrary: chosen('.n', '.big', '.zero', '(index .list 0)', '.map.a') },
  ),
  bool: fc.oneof(
    { depthSize: 'small' },
    { weight: 2, arbitrary: chosen('true', 'false', '.yes', '.no') },
    { weight: 2, arbitrary: group(chosen('eq', 'ne', 'lt', 'le', 'gt', 'ge'), tie('int'), tie('int')) },
    { weight: 2, arbitrary: group(chosen('eq', 'ne', 'lt', 'le', 'gt', 'ge'), tie('float'), tie('float')) },
    { weight: 2, arbitrary: group(chosen('eq', 'ne', 'lt', 'le', 'gt', 'ge'), tie('text'), tie('text')) },
    { weight: 1, arbitrary: group('eq', tie('text'), tie('text'), tie('text')) },
    { weight: 1, arbitrary: group('not', tie('any')) },
    { weight: 1, arbitrary: group(chosen('eq', 'ne'), tie('any'), 'nil') },
    { weight: 1, arbitrary: group(chosen('and', 'or'), tie('bool'), tie('bool'), tie('bool')) },
  ),
  list: chosen('.list', '.none', '.Params.ITEMS', '(index .list 4)', '$.map.z'),
  map: chosen('.map', '.bare', '.map.b', '.Params.TABLE', '$', '(index .list 3)', '$.Params'),
  any: fc.oneof(
    { depthSize: 'small' },
    tie('text'),
    tie('int'),
    tie('float'),
    tie('bool'),
    tie('list'),
    tie('map'),
    fc.constant('.nothing'),
    group(chosen('and', 'or'), tie('any'), tie('any')),
    group('index', chosen('.Params.TABLE', '.map', '.bare'), tie('text')),
  ),
  statement: fc.oneof(
    { depthSize: 'small' },
    { weight: 3, arbitrary: chosen(' text ', '\n', ' \n a: ', '\t', 'ü') },
    { weight: 8, arbitrary: words(chosen('{{', '{{-'), tie('any'), chosen('}}', '-}}')) },
    { weight: 2, arbitrary: words('{{ $x :=', tie('any'), '}}[{{ $x }}]{{ $x =', tie('any'), '-}} [{{ $x }}]') },
    {
      weight: 2,
      arbitrary: words(
        '{{ if',
        tie('any'),
        '}}',
        tie('statement'),
        '{{ else if',
        tie('bool'),
        '-}}',
        tie('statement'),
        '{{ else }}',
        tie('statement'),
        '{{- end }}',
      ),
    },
    {
      weight: 1,
      arbitrary: words('{{ with $w :=', tie('any'), '}}{{ . }}={{ $w }}{{ else }}', tie('statement'), '{{ end }}'),
    },
    {
      weight: 2,
      arbitrary: words(
        '{{ range $i, $e :=',
        fc.oneof(tie('list'), tie('map')),
        '}}{{ $i }}={{ $e }};{{ with $ }}',
        tie('statement'),
        '{{ end }}{{ else }}none{{ end }}',
      ),
    },
    {
      weight: 1,
      arbitrary: words(
        '{{ range',
        fc.oneof(tie('list'), tie('map'), chosen('0', '3')),
        '}}{{ . }}{{ if',
        tie('bool'),
        '}}{{ break }}{{ end }},{{ end }}',
      ),
    },
  ),
}));

/** Templates of which most can be rendered. */
export const calmTemplates = fc
  .array(typed.statement, { minLength: 1, maxLength: 5 })
  .map((statements) => statements.join(''));

/** A Go literal of a text. */
function literal(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n')}"`;
}

function decimalText(value: number): string {
  const text = Object.is(value, -0) ? '-0.0' : String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}
