import { describe, expect, it } from 'vitest';
import { usesOf } from './analysis.ts';
import type { TemplateData } from './data.ts';
import type { FunctionTable, Room } from './function.ts';
import type { Limits } from './limits.ts';
import type { List } from './syntax/ast.ts';
import { describe as describeNode } from './syntax/describe.ts';
import { parseTemplate, renderTemplate } from './template.ts';
import type { GoValue } from './value.ts';

const using = (call: (args: readonly GoValue[], room: Room) => GoValue): FunctionTable =>
  new Map([['use', { params: ['interface {}'], call }]]);

function render(
  text: string,
  limits: Partial<Limits> = {},
  data: TemplateData = {},
  functions: FunctionTable = new Map(),
) {
  return renderTemplate(parseTemplate({ name: 't', text }, functions), data, { limits });
}

const limit = (message: string) => expect.objectContaining({ name: 'TemplateError', stage: 'limit', message });

describe('a template that wants too much', () => {
  it('may print so many characters and not one more', () => {
    expect(render('{{ "ab" }}cd', { output: 4 })).toBe('abcd');
    expect(() => render('{{ "ab" }}cde', { output: 4 })).toThrow(
      limit('template: t:1:10: executing "t" at <cde>: too much for a template: more than 4 characters of output'),
    );
    expect(() => render('abc{{ "de" }}', { output: 4 })).toThrow(
      limit('template: t:1:6: executing "t" at <{{"de"}}>: too much for a template: more than 4 characters of output'),
    );
  });

  it('may take so many steps and not one more', () => {
    // One for the statement, one for the command.
    expect(render('{{ 1 }}{{ 2 }}', { steps: 4 })).toBe('12');
    expect(() => render('{{ 1 }}{{ 2 }}', { steps: 3 })).toThrow(
      limit('template: t:1:10: executing "t" at <2>: too much for a template: more than 3 steps'),
    );
    // An operand is one as well, and so is a round.
    expect(render('{{ print .a }}', { steps: 3 }, { a: 1 })).toBe('1');
    expect(() => render('{{ print .a }}', { steps: 2 }, { a: 1 })).toThrow(/more than 2 steps/);
    expect(render('{{ range 2 }}x{{ end }}', { steps: 6 })).toBe('xx');
    expect(() => render('{{ range 2 }}x{{ end }}', { steps: 5 })).toThrow(/more than 5 steps/);
  });

  it('may have functions make so much and not one more', () => {
    const functions = using((_args, room) => {
      room.charge(3);
      return 'x';
    });
    expect(render('{{ use 1 }}{{ use 1 }}', { memory: 6 }, {}, functions)).toBe('xx');
    expect(() => render('{{ use 1 }}{{ use 1 }}', { memory: 5 }, {}, functions)).toThrow(
      limit(
        'template: t:1:18: executing "t" at <1>: too much for a template: more than 5 characters and items made by functions',
      ),
    );
    const lost = using((_args, room) => {
      room.charge(Number.NaN);
      return 'x';
    });
    expect(() => render('{{ use 1 }}', {}, {}, lost)).toThrow(/too much for a template/);
  });

  /** How little work must be allowed for the template to come to its end. */
  function workOf(text: string, data: TemplateData = {}, functions: FunctionTable = new Map()): number {
    let spent = 0;
    renderTemplate(parseTemplate({ name: 't', text }, functions), data, {
      limits: { output: 0 },
      spent: (work) => {
        spent = work;
      },
    });
    // It is told in hundreds, rounded up.
    let units = 100 * (spent - 1) + 1;
    for (; ; units++) {
      try {
        render(text, { work: units }, data, functions);
        return units;
      } catch {
        // It takes one more.
      }
    }
  }

  it.each<[string, number, TemplateData?]>([
    // A statement and its command are a step each, and a step is 30.
    ['{{ $x := 1 }}', 60],
    ['{{ $x := "ab" | print "cd" | len }}', 4 * 30 + 2 * 5 + 2 + 2 + 4 + 5 + 4],
    // An operand is a step, a field takes 10.
    ['{{ $x := .a.b }}', 80, { a: { b: 1 } }],
    ['{{ $x := print .a }}', 60 + 30 + 10 + 5 + 3 + 3, { a: 'xyz' }],
    ['{{ $x := and 1 0 }}', 60 + 15],
    ['{{ $x := len .a }}', 60 + 30 + 10 + 5 + 2, { a: [1, 2] }],
    ['{{ if 0 }}{{ else if 1 }}{{ end }}', 120],
    ['{{ range 2 }}{{ end }}', 60 + 2 * 30],
    // The keys are sorted: ten for each and their characters, times the rounds it takes.
    ['{{ range . }}{{ break }}{{ end }}', 60 + 30 + 30 + (10 + 2 + 10 + 1) * 2, { aa: 1, b: 2 }],
    ['{{ $x := html "<" }}', 60 + 5 + 1 + 1 + 4],
    ['{{ $x := js "<" }}', 60 + 5 + 1 + 1 + 6],
    ['{{ $x := urlquery "<" }}', 60 + 5 + 1 + 1 + 3],
  ])('takes its work for %s', (text, units, data) => {
    expect(workOf(text, data)).toBe(units);
  });

  it('tells what it has used, as so many printed characters', () => {
    const told = (text: string, limits: Partial<Limits>): number => {
      let spent = -1;
      const options = {
        limits,
        spent: (work: number) => {
          spent = work;
        },
      };
      try {
        renderTemplate(parseTemplate({ name: 't', text }, new Map()), {}, options);
      } catch {
        // It is told in any case.
      }
      return spent;
    };
    expect(told('abc', {})).toBe(3 + 1);
    expect(told('{{ $x := 1 }}{{ $x := 1 }}', {})).toBe(2);
    expect(told('abcdef', { output: 4 })).toBe(4 + 1);
    expect(told('{{ range 1000 }}{{ end }}', { work: 500 })).toBe(5);
  });

  it('may go so deep and not one deeper', () => {
    // A pipeline inside a branch inside a branch.
    expect(render('{{ if 1 }}{{ with 2 }}{{ . }}{{ end }}{{ end }}', { depth: 3 })).toBe('2');
    expect(() => render('{{ if 1 }}{{ with 2 }}{{ . }}{{ end }}{{ end }}', { depth: 2 })).toThrow(
      /more than 2 levels of nesting$/,
    );
    expect(render('{{ range 1 }}{{ (print (print 1)) }}{{ end }}', { depth: 4 })).toBe('1');
    expect(() => render('{{ range 1 }}{{ (print (print 1)) }}{{ end }}', { depth: 3 })).toThrow(/more than 3 levels/);
    expect(render('{{ define "d" }}{{ . }}{{ end }}{{ template "d" 1 }}', { depth: 2 })).toBe('1');
    expect(() => render('{{ define "d" }}{{ . }}{{ end }}{{ template "d" 1 }}', { depth: 1 })).toThrow(
      /more than 1 levels/,
    );
  });

  it('has limits without being given any', () => {
    expect(render('x'.repeat(4 << 20))).toHaveLength(4 << 20);
    expect(() => render('x'.repeat((4 << 20) + 1))).toThrow(/more than 4194304 characters of output$/);
    const maps = (levels: number): TemplateData => (levels === 0 ? 'x' : new Map([['k', maps(levels - 1)]]));
    expect(render('{{ . }}', {}, maps(201))).toHaveLength(1 + 201 * 7);
    expect(() => render('{{ . }}', {}, maps(202))).toThrow(/more than 200 levels of nesting$/);
    const objects = (levels: number): TemplateData => (levels === 0 ? 'x' : { k: objects(levels - 1) });
    expect(render('{{ . }}', {}, objects(201))).toHaveLength(1 + 201 * 7);
    expect(() => render('{{ . }}', {}, objects(202))).toThrow(/more than 200 levels of nesting$/);
    const nested = (levels: number): TemplateData => (levels === 0 ? 'x' : [nested(levels - 1)]);
    expect(render('{{ . }}', {}, nested(201))).toHaveLength(403);
    expect(() => render('{{ . }}', {}, nested(202))).toThrow(/more than 200 levels of nesting$/);
    const wrapping = using(([value]) => {
      let wrapped = value as GoValue;
      for (let level = 0; level < 1001; level++) wrapped = [wrapped];
      return wrapped;
    });
    expect(render('{{ use 1 }}', {}, {}, wrapping)).toHaveLength(2003);
    expect(() => render('{{ slice (use 1) 0 | use }}', {}, {}, wrapping)).toThrow(/more than 1000 levels of nesting$/);
  });

  it('leaves again what it enters', () => {
    const text =
      '{{ define "d" }}{{ end }}{{ range 500 }}{{ if 1 }}{{ (print (print 1)) }}{{ template "d" }}{{ end }}{{ end }}';
    expect(render(text, { depth: 8 })).toBe('1'.repeat(500));
    const often = (part: string) => render(part.repeat(20), { depth: 3 });
    expect(often('{{ range 1 }}x{{ end }}')).toBe('x'.repeat(20));
    expect(often('{{ range 0 }}{{ else }}x{{ end }}')).toBe('x'.repeat(20));
    expect(often('{{ range 1 }}{{ break }}{{ end }}x')).toBe('x'.repeat(20));
    expect(often('{{ with 1 }}x{{ end }}')).toBe('x'.repeat(20));
    expect(often('{{ (print (print "x")) }}')).toBe('x'.repeat(20));
  });
});

describe('hostile templates', () => {
  it('that call themselves', () => {
    expect(() => render('{{ define "a" }}{{ template "a" . }}{{ end }}{{ template "a" . }}')).toThrow(
      expect.objectContaining({ stage: 'limit', message: expect.stringMatching(/more than 300 levels of nesting$/) }),
    );
  });

  it.each([
    ['parentheses', '{{ ', '(', ')', ' }}', '1'],
    ['conditions', '', '{{ if 1 }}', '{{ end }}', '', 'x'],
    ['blocks', '', '{{ block "b" . }}', '{{ end }}', '', 'x'],
  ])('with %s without end', (_what, before, open, close, after, middle) => {
    const text = before + open.repeat(100_000) + middle + close.repeat(100_000) + after;
    expect(() => render(text)).toThrow(
      limit('template: t:1: too much for a template: more than 300 levels of nesting'),
    );
  });

  it.each(['if', 'with'])('with thousands of alternatives of %s, which are no nesting', (word) => {
    const text = `{{ ${word} 0 }}${`{{ else ${word} 0 }}`.repeat(20_000)}{{ else ${word} .Params.A }}x{{ else }}y{{ end }}`;
    expect(render(text, {}, { Params: { A: 1 } })).toBe('x');
    expect(render(text, {}, { Params: { A: 0 } })).toBe('y');
    const template = parseTemplate({ name: 't', text }, new Map());
    expect(usesOf(template).params.has('A')).toBe(true);
    expect(describeNode(template.lists.get('t') as List)).toMatch(/\{\{else\}\}y(\{\{end\}\}){20002}$/);
  });

  it('with more variables than anybody can remember', () => {
    const declarations = (count: number): string =>
      `{{ $a0 := 1 }}${Array.from({ length: count - 1 }, (_, i) => `{{ $a${i + 1} := $a${i} }}`).join('')}`;
    expect(render(`${declarations(10_000)}{{ $a9999 }}`)).toBe('1');
    expect(() => render(declarations(10_001))).toThrow(
      limit('template: t:1: too much for a template: more than 10000 variables'),
    );
    // Those that are out of scope again do not count, nor does one that was hidden come back changed.
    expect(render(`{{ $x := 1 }}${'{{ if $x := 2 }}{{ end }}'.repeat(10_001)}{{ $x }}`)).toBe('1');
    expect(render('{{ range 20000 }}{{ $x := . }}{{ end }}')).toBe('');
  });

  it('with as much nesting as is allowed', () => {
    const brackets = (levels: number) => `{{ if 0 }}{{ ${'('.repeat(levels)}1${')'.repeat(levels)} }}{{ end }}`;
    expect(render(brackets(299))).toBe('');
    expect(() => render(brackets(300))).toThrow(/more than 300 levels of nesting$/);
    const blocks = (levels: number) => `${'{{ if 0 }}'.repeat(levels)}x${'{{ end }}'.repeat(levels)}`;
    expect(render(blocks(300))).toBe('');
    expect(() => render(blocks(301))).toThrow(/more than 300 levels of nesting$/);
    expect(render(`{{ if 0 }}{{ (1) }}{{ block "b" . }}{{ end }}{{ end }}`.repeat(400))).toBe('');
    expect(render(`{{ ${'('.repeat(250)}1${')'.repeat(250)} }}`)).toBe('1');
    expect(render(`${'{{ if 1 }}'.repeat(250)}x${'{{ end }}'.repeat(250)}`)).toBe('x');
  });

  it('that range over more than there is time for', () => {
    expect(() => render('{{ range 1000000000000 }}{{ end }}')).toThrow(/more than 2000000 steps$/);
  });

  it('that double a value until it cannot be held', () => {
    const text = `{{ $x := "0123456789" }}${'{{ $x = print $x $x }}'.repeat(60)}`;
    expect(() => render(text)).toThrow(/more than 33554432 characters and items made by functions$/);
    expect(() => render('{{ printf "%1000000d" 1 | printf "%1000000s%1000000s" }}'.repeat(20))).toThrow(/too much/);
  });

  it('that put a map into itself, or into itself twice', () => {
    const functions = using(([map]) => {
      (map as Map<string, GoValue>).set('self', map as GoValue);
      return map as GoValue;
    });
    expect(() => render('{{ use .m }}', {}, { m: {} }, functions)).toThrow(expect.objectContaining({ stage: 'limit' }));
    const pairs = using(([value]) => [value as GoValue, value as GoValue]);
    expect(() => render(`{{ $x := use 1 }}${'{{ $x = use $x }}'.repeat(100)}{{ $x }}`, {}, {}, pairs)).toThrow(
      expect.objectContaining({ stage: 'limit' }),
    );
  });

  it('of a mebibyte, in the time it takes to read them', () => {
    const size = 1 << 20;
    expect(render('x'.repeat(size))).toHaveLength(size);
    expect(render('{{ 1 }}\n'.repeat(size / 8))).toHaveLength(size / 4);
    expect(render('{{- 1 -}}   \n'.repeat(size / 13))).toHaveLength(Math.floor(size / 13));
    expect(render('{{/* c */}}'.repeat(size / 11))).toBe('');
    expect(render('{{1}}'.repeat(size / 5))).toHaveLength(Math.floor(size / 5));
    const one = parseTemplate({ name: 't', text: '{{ .Params.A }}'.repeat(size / 15) }, new Map());
    expect(usesOf(one).params.get('A')?.at(-1)).toEqual({ line: 1, column: size - 16 - (size % 15) + 11 });
    expect(() => render('{{'.repeat(size / 2))).toThrow('template: t:1: unexpected "{" in command');
    expect(() => render(`{{ "${'\\n'.repeat(size / 2)}`)).toThrow('unterminated quoted string');
    expect(() => render(`{{ ${' '.repeat(size)}`)).toThrow('unclosed action');
    expect(() => render(`{{ ${'a'.repeat(size)} }}`)).toThrow('not defined');
    expect(() => render(`{{ ${'1'.repeat(size)} }}`)).toThrow('illegal number syntax');
    expect(() => render(`{{ ${'1'.repeat(size)}e }}`)).toThrow('illegal number syntax');
    expect(() => render(`{{ 0x${'1'.repeat(size)} }}`)).toThrow('illegal number syntax');
    expect(() => render(`${'\n'.repeat(size)}{{ .x }}`)).toThrow(`template: t:${size + 1}:3: executing`);
  });

  it('whose messages would be as long as they are', () => {
    const text = `{{ range .n }}${'x'.repeat(100_000)}{{ end }}{{ print "${'y'.repeat(100_000)}" .nope }}`;
    const failing = (): string => render(text, {}, { n: null });
    expect(failing).toThrow('map has no entry for key "nope"');
    const long = (): string => render(`{{ print "${'y'.repeat(100_000)}" | .x }}`, {}, { x: 1 });
    expect(long).toThrow(/^.{0,2200}$/);
    const invocation = (): string => render(`{{ template "${'y'.repeat(5000)}" }}`);
    expect(invocation).toThrow(/y{1900,2000}\.\.\.>: template "y+" not defined$/);
  });
});
