import fc from 'fast-check';

const chosen = (...values: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...values);

/** What stands for an argument, by what the function wants there. */
const simple = {
  text: chosen(
    ...[
      '"abc"',
      '""',
      '" a b "',
      '"FirstName"',
      '"first_name-two Words"',
      '"a,b,,c"',
      '"x$y$z"',
      '"héllo→𝒳"',
      '"12"',
      '"-3.7"',
    ],
    ...[
      '"0x1f"',
      '"1e3"',
      '"true"',
      '"l1\\nl2\\n"',
      '"aGVsbG8="',
      '"NBUQ===="',
      '"<a&b>"',
      '"it\'s \\"q\\""',
      '.Name',
      '.text',
      '.empty',
    ],
    ...[
      '"XMLHttpRequest"',
      '"some string to wrap at words"',
      '"007"',
      '"yes"',
      '"null"',
      '"key: value"',
      '"- item"',
      '"#x"',
      '"ß"',
    ],
  ),
  int: chosen('0', '1', '2', '3', '5', '10', '-1', '7'),
  number: chosen(
    '0',
    '1',
    '-7',
    '3',
    '2.5',
    '-0.5',
    '1.2345',
    '"4"',
    '"x"',
    '"2.9"',
    'true',
    '.n',
    '.zero',
    '.big',
    '.nothing',
    'nil',
    '9223372036854775807',
    '1e10',
  ),
  regex: chosen(
    '"a+"',
    '"[0-9]+"',
    '"^h(.*)o$"',
    '"(a)(b)?"',
    '"[^a-z]"',
    '"(?i)FIRST"',
    '"\\\\d{2,}"',
    '"\\\\bw"',
    '"x*"',
    '"a|b|"',
    '"(?P<n>[a-z])"',
    '"("',
    '"[z-a]"',
  ),
  bool: chosen('true', 'false', '.yes', '.no'),
  list: chosen(
    '(list 1 "a" nil 2.5)',
    '(list)',
    '(list "b" "a" "b")',
    '.list',
    '.none',
    '.Params.ITEMS',
    '(splitList "," "q,r")',
    '(until 3)',
    '(list 1 1 2 (list 1))',
  ),
  map: chosen(
    '(dict "a" 1 "b" (dict "c" 2))',
    '(dict)',
    '.map',
    '.Params.TABLE',
    '(dict "k1" "new" "list" (list 1 2))',
    '.bare',
  ),
  key: chosen('"a"', '"b"', '"k1"', '"nope"'),
  version: chosen('"1.2.3"', '"v1.2"', '"1.2.3-beta.1+b1"', '"2"', '"x"', '"0.0.1"'),
  constraint: chosen('"^1.2.0"', '">=1, <3"', '"~1.2"', '"1.x"', '"!=1.2.3"', '"1.2 - 2.0"', '"||"', '">1.0 || <0.1"'),
  url: chosen('"http://u:p@h:80/p?q=1#f"', '"/only/path"', '"mailto:x@y"', '"http://[::1]:8080/"', '"%zz"', '""'),
  kind: chosen(
    '"string"',
    '"map"',
    '"slice"',
    '"int"',
    '"float64"',
    '"bool"',
    '"[]interface {}"',
    '"map[string]interface {}"',
  ),
} as const;

type Want = keyof typeof simple | 'any';

/** Functions with what they want. Left out: those that depend on chance, on time, on the network or on the order of maps. */
const SIGNATURES: readonly (readonly [string, ...Want[]])[] = [
  ...[
    'trim',
    'upper',
    'lower',
    'title',
    'untitle',
    'nospace',
    'initials',
    'swapcase',
    'snakecase',
    'camelcase',
    'kebabcase',
  ].map((name) => [name, 'text'] as const),
  ...['sha1sum', 'sha256sum', 'adler32sum', 'atoi', 'b64enc', 'b64dec', 'b32enc', 'b32dec', 'fail'].map(
    (name) => [name, 'text'] as const,
  ),
  ...['trimAll', 'trimall', 'trimSuffix', 'trimPrefix', 'contains', 'hasPrefix', 'hasSuffix', 'split', 'splitList'].map(
    (name) => [name, 'text', 'text'] as const,
  ),
  ...[
    'add1',
    'int',
    'int64',
    'float64',
    'toDecimal',
    'ceil',
    'floor',
    'toString',
    'empty',
    'quote',
    'squote',
    'toJson',
    'toPrettyJson',
    'toYaml',
    'typeOf',
    'kindOf',
    'toStrings',
    'deepCopy',
  ].map((name) => [name, 'any'] as const),
  ...['add', 'sub', 'div', 'mod', 'mul', 'max', 'min', 'biggest'].map((name) => [name, 'number', 'number'] as const),
  ...['first', 'rest', 'last', 'initial', 'reverse', 'uniq', 'compact', 'sortAlpha'].map(
    (name) => [name, 'list'] as const,
  ),
  ['abbrev', 'int', 'text'],
  ['abbrevboth', 'int', 'int', 'text'],
  ['trunc', 'int', 'text'],
  ['substr', 'int', 'int', 'text'],
  ['repeat', 'int', 'text'],
  ['wrap', 'int', 'text'],
  ['wrapWith', 'int', 'text', 'text'],
  ['indent', 'int', 'text'],
  ['nindent', 'int', 'text'],
  ['replace', 'text', 'text', 'text'],
  ['plural', 'text', 'text', 'int'],
  ['cat', 'any', 'any', 'any'],
  ['quote', 'any', 'any'],
  ['splitn', 'text', 'int', 'text'],
  ['until', 'int'],
  ['untilStep', 'int', 'int', 'int'],
  ['round', 'number', 'int'],
  ['add', 'number', 'number', 'number'],
  ['join', 'text', 'any'],
  ['default', 'any', 'any'],
  ['coalesce', 'any', 'any', 'any'],
  ['ternary', 'any', 'any', 'bool'],
  ['typeIs', 'kind', 'any'],
  ['typeIsLike', 'kind', 'any'],
  ['kindIs', 'kind', 'any'],
  ['deepEqual', 'any', 'any'],
  ['list', 'any', 'any'],
  ['dict', 'key', 'any', 'key', 'any'],
  ['set', 'map', 'key', 'text'],
  ['unset', 'map', 'key'],
  ['hasKey', 'map', 'key'],
  ['pluck', 'key', 'map', 'map'],
  ['pick', 'map', 'key', 'key'],
  ['omit', 'map', 'key'],
  ['merge', 'map', 'map'],
  ['mergeOverwrite', 'map', 'map'],
  ['append', 'list', 'any'],
  ['prepend', 'list', 'any'],
  ['without', 'list', 'any'],
  ['has', 'any', 'list'],
  ['slice', 'list', 'int', 'int'],
  ['concat', 'list', 'list'],
  ['regexMatch', 'regex', 'text'],
  ['regexFind', 'regex', 'text'],
  ['regexFindAll', 'regex', 'text', 'int'],
  ['regexReplaceAll', 'regex', 'text', 'text'],
  ['regexReplaceAllLiteral', 'regex', 'text', 'text'],
  ['regexSplit', 'regex', 'text', 'int'],
  ['semver', 'version'],
  ['semverCompare', 'constraint', 'version'],
  ['urlParse', 'url'],
];

interface Calls extends Record<string, unknown> {
  readonly any: string;
  readonly call: string;
}

const { call } = fc.letrec<Calls>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    { weight: 2, arbitrary: simple.text },
    { weight: 2, arbitrary: simple.number },
    { weight: 1, arbitrary: simple.list },
    { weight: 1, arbitrary: simple.map },
    { weight: 1, arbitrary: simple.bool },
    { weight: 2, arbitrary: tie('call').map((text) => `(${text})`) },
  ),
  call: fc
    .constantFrom(...SIGNATURES)
    .chain(([name, ...wants]) =>
      fc.tuple(...wants.map((want) => argument(want, tie('any')))).map((args) => [name, ...args].join(' ')),
    ),
}));

/** Mostly what is wanted; sometimes something else, for the message. */
function argument(want: Want, any: fc.Arbitrary<string>): fc.Arbitrary<string> {
  if (want === 'any') return any;
  // Not any number for a count: Go would try to make what is asked for.
  const other = want === 'int' ? chosen('"x"', '.n', '.list', 'nil', '1.5', '.nothing', '3.0') : any;
  return fc.oneof({ weight: 12, arbitrary: simple[want] }, { weight: 1, arbitrary: other });
}

/** Templates that call functions of sprig, with fitting arguments and others. */
export const sprigTemplates = fc.oneof(
  { weight: 6, arbitrary: call.map((text) => `{{ ${text} }}`) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        call,
        chosen(
          'quote',
          'upper',
          'toJson',
          'toYaml',
          'default "d"',
          'join ","',
          'len',
          'kindOf',
          'int',
          'first',
          'indent 2',
        ),
      )
      .map(([text, last]) => `{{ ${text} | ${last} }}`),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(call, call)
      .map(([one, other]) => `{{ $x := ${one} }}{{ $y := ${other} }}{{ list $x $y | toJson }} {{ $x }}\n`),
  },
);
