import { describe, expect, it } from 'vitest';
import type { TemplateData } from './data.ts';
import type { FunctionTable, GoFunction } from './function.ts';
import { FunctionFailure } from './function.ts';
import { parseTemplate, type RenderOptions, renderTemplate } from './template.ts';
import { GoInt, GoList, type GoMethod, GoObject, GoStringMap, type GoValue } from './value.ts';

function render(
  text: string,
  data: TemplateData = {},
  functions: FunctionTable = new Map(),
  options: RenderOptions = {},
) {
  return renderTemplate(parseTemplate({ name: 't', text }, functions), data, options);
}

/** The message without the place, which the recorded vectors test. */
function complaint(text: string, functions: FunctionTable, data: TemplateData = {}): string {
  try {
    render(text, data, functions);
  } catch (error) {
    return String(error).replace(/^.*?>: /, '');
  }
  return 'no complaint';
}

/** Functions that return a value, by name. */
function giving(values: Readonly<Record<string, GoValue>>): FunctionTable {
  return new Map(Object.entries(values).map(([name, value]) => [name, { params: [], call: () => value }]));
}

/** A function that shows what it got. */
function taking(...params: GoFunction['params']): FunctionTable {
  const call = (args: readonly GoValue[]): string => args.map((arg) => show(arg)).join(' ');
  return new Map([['take', { params, call }]]);
}

function show(value: GoValue | undefined): string {
  return value instanceof GoInt ? `${value.type}(${value.value})` : JSON.stringify(value ?? null);
}

describe('a template', () => {
  it('can be rendered again and again, each time with data of its own', () => {
    const set: FunctionTable = new Map([
      [
        'set',
        {
          params: ['map[string]interface {}'],
          call([map]) {
            (map as Map<string, GoValue>).set('x', 'changed');
            return '';
          },
        },
      ],
    ]);
    const template = parseTemplate({ name: 't', text: '{{ .m.x }}{{ set .m }}{{ .m.x }}' }, set);
    const data = { m: { x: 'first' } };
    expect(renderTemplate(template, data)).toBe('firstchanged');
    expect(renderTemplate(template, data)).toBe('firstchanged');
    expect(data).toEqual({ m: { x: 'first' } });
  });

  it('prefers a given function to one of Go', () => {
    expect(render('{{ len }}', {}, giving({ len: 'mine' }))).toBe('mine');
  });

  it('tells the place of an error as numbers, too', () => {
    expect(() => render('a\n b {{ .nope }}')).toThrow(
      expect.objectContaining({ name: 'TemplateError', stage: 'execute', template: 't', line: 2, column: 6 }),
    );
    expect(() => render('a\n{{ if }}')).toThrow(
      expect.objectContaining({ name: 'TemplateError', stage: 'parse', template: 't', line: 2, column: undefined }),
    );
  });

  it('refuses imaginary numbers', () => {
    expect(() => render('{{ 1i }}')).toThrow('template: t:1: imaginary numbers are not supported: "1i"');
    expect(() => render('{{ 1+2i }}')).toThrow('template: t:1: imaginary numbers are not supported: "1+2i"');
    expect(() => render('{{ 1.i }}')).toThrow('template: t:1: imaginary numbers are not supported: "1.i"');
    expect(() => render('{{ +i }}')).toThrow('template: t:1: illegal number syntax: "+i"');
  });

  it('refuses addresses, which no two runs share', () => {
    expect(() => render('{{ printf "%p" . }}')).toThrow(
      'template: t:1:3: executing "t" at <printf "%p" .>: error calling printf: %p prints an address in memory, which no two runs share',
    );
    expect(() => render('{{ printf "%p" .l }}', { l: [] })).toThrow('%p prints an address');
  });
});

describe('data', () => {
  it('has keys that are only keys', () => {
    const data = JSON.parse('{"__proto__": {"x": 1}, "constructor": "c", "toString": null}') as TemplateData;
    expect(render('{{ .constructor }} {{ (index . "__proto__").x }} {{ .toString }} {{ len . }}', data)).toBe(
      'c 1 <no value> 3',
    );
    expect(() => render('{{ .constructor }}', {})).toThrow('map has no entry for key "constructor"');
    expect(() => render('{{ .__proto__ }}', { a: {} })).toThrow('map has no entry for key "__proto__"');
    expect(render('{{ index .a "hasOwnProperty" }}', { a: {} })).toBe('<no value>');
  });

  it('may come as maps, may be nothing, and leaves out what is undefined', () => {
    expect(render('{{ .a }}{{ len . }}', new Map([['a', [1, null, { b: true }]]]))).toBe('[1 <nil> map[b:true]]1');
    expect(render('{{ . }}', null)).toBe('<no value>');
    expect(() => render('{{ .x }}', null)).toThrow('nil data; no entry for key "x"');
    expect(render('{{ . }}', { a: undefined } as unknown as TemplateData)).toBe('map[]');
  });

  it('keeps a map of strings one', () => {
    const data = { p: new GoStringMap([['k', 'v']]) };
    expect(render('{{ printf "%T %v %#v" .p .p .p }} {{ .p.k }} [{{ index .p "x" }}]', data)).toBe(
      'map[string]string map[k:v] map[string]string{"k":"v"} v []',
    );
    expect(render('{{ range $k, $v := .p }}{{ $k }}={{ $v }}{{ end }}', data)).toBe('k=v');
    expect(() => render('{{ .p.k.x }}', data)).toThrow("can't evaluate field x in type string");
    expect(() => render('{{ .p.x }}', data)).toThrow('map has no entry for key "x"');
  });

  it('cannot be nested without end', () => {
    let deep: TemplateData = 'x';
    for (let level = 0; level < 10_000; level++) deep = [deep];
    expect(() => render('{{ . }}', { deep })).toThrow(expect.objectContaining({ stage: 'limit' }));
  });
});

describe('arguments', () => {
  it('of a type are constants that fit', () => {
    expect(render('{{ take 1 2 3 4 5 }}', {}, taking('int', 'int32', 'int64', 'uint32', 'float64'))).toBe(
      'int(1) int32(2) int64(3) uint32(4) 5',
    );
    expect(render("{{ take 3.0 'a' 1e3 }}", {}, taking('int', 'int32', 'float64'))).toBe('int(3) int32(97) 1000');
    expect(render('{{ take 4294967297 4294967298 2147483648 }}', {}, taking('uint32', 'int32', 'int32'))).toBe(
      'uint32(1) int32(2) int32(-2147483648)',
    );
    expect(render('{{ take true "s" nil nil }}', {}, taking('bool', 'string', '[]string', 'interface {}'))).toBe(
      'true "s" null null',
    );
  });

  it.each([
    ['{{ take "x" }}', 'int', 'expected integer; found "x"'],
    ['{{ take 1.5 }}', 'int64', 'expected integer; found 1.5'],
    ['{{ take 9223372036854775808 }}', 'int', 'expected integer; found 9223372036854775808'],
    ['{{ take true }}', 'int32', 'expected integer; found true'],
    ['{{ take -1 }}', 'uint32', 'expected unsigned integer; found -1'],
    ['{{ take "1" }}', 'uint32', 'expected unsigned integer; found "1"'],
    ['{{ take "1" }}', 'float64', 'expected float; found "1"'],
    ['{{ take 1 }}', 'bool', 'expected bool; found 1'],
    ['{{ take 1 }}', 'string', 'expected string; found 1'],
    ['{{ take 1 }}', '[]interface {}', "can't handle 1 for arg of type []interface {}"],
    ['{{ take "x" }}', 'map[string]interface {}', 'can\'t handle "x" for arg of type map[string]interface {}'],
    ['{{ take nil }}', 'string', 'cannot assign nil to string'],
    ['{{ take nil }}', 'time.Time', 'cannot assign nil to time.Time'],
    ['{{ take .n }}', 'int', 'wrong type for value; expected int; got float64'],
    ['{{ take .nil }}', 'string', 'wrong type for value; expected string; got interface {}'],
    ['{{ take .nil }}', '[]string', 'wrong type for value; expected []string; got interface {}'],
    ['{{ .nil | take }}', 'string', 'invalid value; expected string'],
    ['{{ (len "abc") | take }}', 'int64', 'wrong type for value; expected int64; got int'],
    ['{{ take . }}', '[]interface {}', 'wrong type for value; expected []interface {}; got map[string]interface {}'],
    ['{{ take 1 2 }}', 'int', 'wrong number of args for take: want 1 got 2'],
    ['{{ 2 | take 1 }}', 'int', 'wrong number of args for take: want 1 got 2'],
    ['{{ take }}', 'int', 'wrong number of args for take: want 1 got 0'],
  ])('%s of %s: %s', (text, type, message) => {
    expect(complaint(text, taking(type), { n: 1, nil: null })).toBe(message);
  });

  it('may be absent where the type has a nil', () => {
    expect(
      render(
        '{{ $x := .nil }}{{ take $x $x $x $x }}',
        { nil: null },
        taking('[]string', 'map[string]interface {}', '*url.URL', 'error'),
      ),
    ).toBe('null null null null');
  });

  it('beyond the named ones have the type of the last', () => {
    const functions: FunctionTable = new Map([
      ['cat', { params: ['int'], variadic: 'string', call: (args) => args.map(show).join(' ') }],
    ]);
    expect(render('{{ cat 1 }}|{{ cat 1 "a" }}|{{ "b" | cat 1 "a" }}', {}, functions)).toBe(
      'int(1)|int(1) "a"|int(1) "a" "b"',
    );
    expect(complaint('{{ cat 1 "a" 2 }}', functions)).toBe('expected string; found 2');
    expect(complaint('{{ 2 | cat 1 }}', functions)).toBe('wrong type for value; expected string; got int');
    expect(complaint('{{ "x" | cat }}', functions)).toBe('wrong type for value; expected int; got string');
    expect(complaint('{{ cat }}', functions)).toBe('wrong number of args for cat: want at least 1 got 0');
  });
});

describe('functions', () => {
  it('fail with their own words, and a defect ends only the rendering', () => {
    const functions: FunctionTable = new Map([
      [
        'fails',
        {
          params: [],
          call: () => {
            throw new FunctionFailure('because');
          },
        },
      ],
      [
        'breaks',
        {
          params: [],
          call: () => {
            throw new TypeError('oops');
          },
        },
      ],
    ]);
    expect(() => render('x {{ print (fails) }}', {}, functions)).toThrow(
      'template: t:1:12: executing "t" at <fails>: error calling fails: because',
    );
    expect(() => render('{{ breaks }}', {}, functions)).toThrow(
      expect.objectContaining({
        message: 'template: t:1:3: executing "t" at <breaks>: error calling breaks: TypeError: oops',
        stage: 'execute',
      }),
    );
  });

  it('may give nothing', () => {
    const functions = giving({ nothing: null });
    expect(render('{{ nothing }}{{ nothing | print }}{{ print nothing }}', {}, functions)).toBe('<no value><nil><nil>');
    expect(complaint('{{ printf nothing }}', functions)).toBe(
      'wrong type for value; expected string; got interface {}',
    );
    expect(complaint('{{ nothing.x }}', functions)).toBe('nil pointer evaluating interface {}.x');
    expect(complaint('{{ (nothing).x }}', functions)).toBe('nil data; no entry for key "x"');
  });

  it('may give lists of one type', () => {
    const functions = giving({
      words: new GoList('[]string', ['b', 'a']),
      numbers: new GoList('[]int', [new GoInt('int', 7n)]),
      bytes: new GoList(
        '[]uint8',
        [104, 105].map((byte) => new GoInt('uint8', BigInt(byte))),
      ),
    });
    expect(
      render(
        '{{ words }} {{ numbers }} {{ bytes }} {{ len words }} {{ index words 1 }} {{ if numbers }}y{{ end }}',
        {},
        functions,
      ),
    ).toBe('[b a] [7] [104 105] 2 a y');
    expect(render('{{ printf "%T %T %T" words numbers bytes }}', {}, functions)).toBe('[]string []int []uint8');
    expect(render('{{ printf "%#v %#v %#v" words numbers bytes }}', {}, functions)).toBe(
      '[]string{"b", "a"} []int{7} []byte{0x68, 0x69}',
    );
    expect(
      render('{{ printf "%s %x %X %q %d %v %5s|" bytes bytes bytes bytes bytes bytes bytes }}', {}, functions),
    ).toBe('hi 6869 6869 "hi" [104 105] [104 105]    hi|');
    expect(
      render(
        '{{ range $i, $w := words }}{{ $i }}{{ $w }}{{ end }}{{ slice words 1 | printf "%[1]T%[1]v" }}',
        {},
        functions,
      ),
    ).toBe('0b1a[]string[a]');
    expect(complaint('{{ range words }}{{ .x }}{{ end }}', functions)).toBe("can't evaluate field x in type string");
    expect(complaint('{{ eq words words }}', functions)).toBe('error calling eq: non-comparable type [b a]: []string');
    expect(complaint('{{ eq words . }}', functions)).toBe(
      'error calling eq: non-comparable types [b a]: []string, map[string]interface {}: map[]',
    );
  });
});

describe('a thing of a named type', () => {
  const version = new GoObject({
    type: '*semver.Version',
    text: '1.2.3',
    fields: new Map<string, GoValue>([
      ['Raw', 'v1.2.3'],
      ['Next', null],
    ]),
    methods: new Map<string, GoMethod>([
      ['Minor', () => new GoInt('int64', 2n)],
      ['After', { params: ['string'], call: ([text]: readonly GoValue[]) => `1.2.3 after ${text as string}` }],
      [
        'Bad',
        () => {
          throw new FunctionFailure('bad version');
        },
      ],
    ]),
  });
  const time = (text: string) => new GoObject({ type: 'time.Time', text });
  const functions = giving({ version, other: version, noon: time('12:00'), also: time('12:00'), night: time('00:00') });

  it('gives arguments to the methods that take some', () => {
    expect(render('{{ version.After "1.2.2" }}, {{ "1.0.0" | version.After }}', {}, functions)).toBe(
      '1.2.3 after 1.2.2, 1.2.3 after 1.0.0',
    );
    expect(complaint('{{ version.After }}', functions)).toBe('wrong number of args for After: want 1 got 0');
  });

  it('prints, has fields and methods, and is true', () => {
    expect(
      render(
        '{{ version }} {{ version.Minor }} {{ (version).Raw }} {{ if version }}y{{ end }} {{ version.Next }}',
        {},
        functions,
      ),
    ).toBe('1.2.3 2 v1.2.3 y <no value>');
    expect(render('{{ printf "%v|%8s|%q|%T|%#v|%d" version version version version noon noon }}', {}, functions)).toBe(
      '1.2.3|   1.2.3|"1.2.3"|*semver.Version|12:00|%!d(time.Time=12:00)',
    );
  });

  it('equals itself; structs also equal others with the same in them', () => {
    expect(render('{{ eq version other }}{{ eq noon also }}{{ eq noon night }}', {}, functions)).toBe('truetruefalse');
    expect(
      render(
        '{{ eq a b }}',
        {},
        giving({ a: new GoObject({ type: '*x', text: '1' }), b: new GoObject({ type: '*x', text: '1' }) }),
      ),
    ).toBe('false');
    expect(
      render(
        '{{ eq a b }}',
        {},
        giving({ a: new GoObject({ type: 'x', text: '1' }), b: new GoObject({ type: 'y', text: '1' }) }),
      ),
    ).toBe('false');
  });

  it.each([
    ['{{ version.Nope }}', "can't evaluate field Nope in type *semver.Version"],
    ['{{ version.Minor 1 }}', 'wrong number of args for Minor: want 0 got 1'],
    ['{{ 1 | version.Minor }}', 'wrong number of args for Minor: want 0 got 1'],
    ['{{ version.Raw 1 }}', 'Raw has arguments but cannot be invoked as function'],
    ['{{ 1 | version.Raw }}', 'Raw has arguments but cannot be invoked as function'],
    ['{{ version.Bad }}', 'error calling Bad: bad version'],
    ['{{ len version }}', 'error calling len: len of type semver.Version'],
    ['{{ index version 1 }}', "error calling index: can't index item of type semver.Version"],
    ['{{ slice version 1 }}', "error calling slice: can't slice item of type semver.Version"],
    ['{{ lt version version }}', 'error calling lt: invalid type for comparison'],
    ['{{ eq version noon }}', 'error calling eq: non-comparable types 1.2.3: *semver.Version, time.Time: 12:00'],
    ['{{ range noon }}{{ end }}', "range can't iterate over 12:00"],
    ['{{ printf noon }}', 'wrong type for value; expected string; got time.Time'],
  ])('%s: %s', (text, message) => {
    expect(complaint(text, functions)).toBe(message);
  });
});

describe('bytes that are no text', () => {
  it('are kept until the end, where they are marked', () => {
    expect(render('{{ "\\xff" }}|{{ len "\\xff\\xfe" }}|{{ printf "%q %x" "a\\xff" "\\xff" }}')).toBe(
      '\ufffd|2|"a\\xff" ff',
    );
    expect(render('{{ slice "é" 0 1 }}{{ slice "é" 1 2 }}')).toBe('é');
    expect(render('{{ slice "é" 0 1 }}x{{ slice "é" 1 2 }}')).toBe('\ufffdx\ufffd');
    expect(render('{{ urlquery "\\xff" }} {{ js "\\xff" }} {{ lt "\\x80" "\\xff" }}{{ lt "\\xff" "z" }}')).toBe(
      '%FF \ufffd truefalse',
    );
    expect(() => render('{{ .x "\\xff" }}', { x: 1 })).toThrow('x is not a method but has arguments');
  });
});
