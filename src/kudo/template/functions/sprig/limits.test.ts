import { describe, expect, it } from 'vitest';
import { parseTemplate, renderTemplate } from '../../template.ts';
import { TemplateError } from '../../template-error.ts';
import { GoRegexp } from './regex/regexp.ts';
import { sprigFunctions } from './sprig-functions.ts';

const render = (text: string, data = {}) =>
  renderTemplate(parseTemplate({ name: 't', text }, sprigFunctions), data, { limits: { memory: 4 << 20 } });

/** The stage of the error: a limit, or nothing when it went well. */
function stageOf(text: string, data = {}): string | undefined {
  try {
    render(text, data);
    return undefined;
  } catch (error) {
    return error instanceof TemplateError ? error.stage : String(error);
  }
}

describe('a template that wants too much of a function of sprig', () => {
  it.each([
    ['repeat', '{{ repeat 1000000000 "abc" | trunc 1 }}'],
    ['until', '{{ len (until 2000000000) }}'],
    ['untilStep', '{{ len (untilStep 0 9000000000000000000 1) }}'],
    ['indent', '{{ indent 1000000000 "a" | trunc 1 }}'],
    ['nindent', '{{ nindent 1000000000 "a" | trunc 1 }}'],
    ['indent of many lines', '{{ indent 100000 (repeat 100000 "\\n") | trunc 1 }}'],
    ['replace', '{{ replace "a" (repeat 100000 "b") (repeat 100000 "a") | trunc 1 }}'],
    ['replace of nothing', '{{ replace "" (repeat 100000 "b") (repeat 100000 "a") | trunc 1 }}'],
    ['join', '{{ join (repeat 100000 "b") (until 100000) | trunc 1 }}'],
    ['wrapWith', '{{ wrapWith 1 (repeat 100000 "b") (repeat 100000 "a") | trunc 1 }}'],
    ['regexReplaceAll', '{{ regexReplaceAll "a" (repeat 100000 "a") (repeat 100000 "b") | trunc 1 }}'],
    ['regexReplaceAllLiteral', '{{ regexReplaceAllLiteral "a" (repeat 100000 "a") (repeat 100000 "b") | trunc 1 }}'],
    ['randAlpha', '{{ randAlpha 1000000000 | trunc 1 }}'],
    ['cat that doubles', '{{ $x := "ab" }}{{ range until 40 }}{{ $x = cat $x $x }}{{ end }}'],
    ['list that doubles', '{{ $x := list 1 }}{{ range until 40 }}{{ $x = concat $x $x }}{{ end }}'],
    [
      'toJson that doubles',
      '{{ $x := dict }}{{ range until 40 }}{{ $x = dict "a" $x "b" $x }}{{ end }}{{ toJson $x | trunc 1 }}',
    ],
    [
      'toYaml that doubles',
      '{{ $x := dict }}{{ range until 40 }}{{ $x = dict "a" $x "b" $x }}{{ end }}{{ toYaml $x | trunc 1 }}',
    ],
    [
      'deepCopy that doubles',
      '{{ $x := dict }}{{ range until 40 }}{{ $x = dict "a" $x "b" $x }}{{ end }}{{ deepCopy $x | len }}',
    ],
    [
      'quote that doubles',
      '{{ $x := list }}{{ range until 40 }}{{ $x = list $x $x }}{{ end }}{{ quote $x | trunc 1 }}',
    ],
    [
      'deepEqual that doubles',
      '{{ $x := list }}{{ range until 40 }}{{ $x = list $x $x }}{{ end }}{{ deepEqual $x (list $x) }}',
    ],
    [
      'merge that doubles',
      '{{ $x := dict "y" 1 }}{{ range until 40 }}{{ $x = dict "a" $x "b" $x }}{{ end }}{{ merge (dict) $x | len }}',
    ],
    ['uniq of many', '{{ uniq (until 100000) | len }}'],
    ['without many', '{{ range until 1000 }}{{ $_ := has -1 (until 2000) }}{{ end }}'],
    ['many derived passwords', '{{ range until 40 }}{{ $_ := derivePassword 1 "pin" "p" "u" "s" }}{{ end }}'],
  ])('%s is stopped by a limit', (_name, template) => {
    expect(stageOf(template)).toBe('limit');
  });

  it.each(['dict "k"', 'list'])('values of %s may be nested 500 levels and not one more', (call) => {
    const nested = (levels: number) => `{{ $x := 1 }}{{ range until ${levels} }}{{ $x = ${call} $x }}{{ end }}`;
    for (const use of ['toJson $x', 'toYaml $x', 'deepCopy $x', 'deepEqual $x (list $x)']) {
      expect(stageOf(`${nested(500)}{{ $_ := ${use} }}`)).toBeUndefined();
      expect(() => render(`${nested(501)}{{ $_ := ${use} }}`)).toThrow('nested deeper than 500 levels');
    }
  });

  it.each([
    ['toJson', '{{ $d := dict }}{{ $_ := set $d "me" $d }}{{ toJson $d }}'],
    ['toPrettyJson', '{{ $d := dict }}{{ $_ := set $d "me" $d }}{{ toPrettyJson $d }}'],
    ['toYaml', '{{ $d := dict }}{{ $_ := set $d "me" $d }}{{ toYaml $d }}'],
    ['deepCopy', '{{ $d := dict }}{{ $_ := set $d "me" $d }}{{ deepCopy $d }}'],
    ['merge', '{{ $d := dict }}{{ $_ := set $d "me" $d }}{{ $e := dict }}{{ $_ := set $e "me" $e }}{{ merge $e $d }}'],
    [
      'deepEqual',
      '{{ $d := dict }}{{ $_ := set $d "me" $d }}{{ $e := dict }}{{ $_ := set $e "me" $e }}{{ deepEqual $d $e }}',
    ],
  ])('%s refuses a dict that contains itself', (name, template) => {
    expect(() => render(template)).toThrow(
      `error calling ${name}: the value is nested deeper than 500 levels, or contains itself`,
    );
  });

  it.each(['(a*)*b', '(a|a)*b', '(a|aa)+$', '^(([a-z])+.)+[A-Z]([a-z])+$', '(.*)*x', '(?:a?){500}a{500}'])(
    'the expression %s, which explodes elsewhere, answers about a long text',
    (expression) => {
      const found = render('{{ regexMatch .e .t }}', { e: expression, t: 'a'.repeat(400) });
      expect(found).toMatch(/^(true|false)$/);
    },
  );

  it('an expression and a text that are both long are stopped by a limit', () => {
    const stage = stageOf('{{ regexMatch .e .t }}', { e: '(a?b?c?){300}$', t: 'abc'.repeat(100_000) });
    expect(stage).toBe('limit');
  });

  it('expressions may be so large and not larger', () => {
    const room = { charge: () => {}, work: () => {}, random: () => new Uint8Array() };
    const compiles = (source: string) => () => new GoRegexp(source, room).matches('');
    const problem = (what: string) => new RegExp(`^error parsing regexp: ${what}: `);
    expect(compiles('a'.repeat(20_000))()).toBe(false);
    expect(compiles('a'.repeat(20_001))).toThrow(problem('expression too large'));
    expect(compiles('(a)'.repeat(1000))()).toBe(false);
    expect(compiles('(a)'.repeat(1001))).toThrow(problem('expression has too many groups'));
    const nested = (levels: number) => `${'(?:'.repeat(levels)}a${')'.repeat(levels)}`;
    expect(compiles(nested(1000))()).toBe(false);
    expect(compiles(nested(1001))).toThrow(problem('expression nests too deeply'));
    // What was closed, and flags, are no nesting.
    expect(compiles('(?:a)(?i)'.repeat(1100))()).toBe(false);
    // Two instructions note the whole match, one ends it.
    expect(compiles(`${'a{1000}'.repeat(99)}a{997}`)()).toBe(false);
    expect(compiles(`${'a{1000}'.repeat(99)}a{998}`)).toThrow(problem('expression too large'));
  });

  it('expressions that are too long are refused', () => {
    expect(() => render('{{ regexFind .e "a" }}', { e: `[${'[:'.repeat(100_000)}` })).toThrow(
      /error parsing regexp: expression too large: `\[\[:.*…`/,
    );
    expect(() => render('{{ regexFind .e "a" }}', { e: '(a{1000}){1}'.repeat(110) })).toThrow('expression too large');
    expect(() => render('{{ regexFind .e "a" }}', { e: `${'('.repeat(1001)}a${')'.repeat(1001)}` })).toThrow(
      'expression nests too deeply',
    );
    expect(render('{{ regexFind .e "a" }}', { e: `${'('.repeat(900)}a${')'.repeat(900)}` })).toBe('a');
  });
});
