import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../limits.ts';
import { parseTemplate, renderTemplate } from '../../template.ts';
import { TemplateError } from '../../template-error.ts';
import { sprigFunctions } from './sprig-functions.ts';

const KEY = new Uint8Array(32);
/** A hundredth of what a rendering may do: enough to see that a template comes to an end, and no test that waits. */
const WORK = 1_000_000;

function failureOf(text: string, work: number = WORK): TemplateError | undefined {
  const template = parseTemplate({ name: 't', text }, sprigFunctions);
  try {
    renderTemplate(template, { Params: {} }, { key: KEY, limits: { work } });
    return undefined;
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
}

/** Twenty calls with a long text: each reads all of it, and none makes anything worth mentioning. */
const often = (call: string, text = '"1"'): string =>
  `{{ $s := repeat 100000 ${text} }}{{ $t := printf "%s" $s }}{{ range until 20 }}{{ with ${call} }}{{ end }}{{ end }}`;

describe('functions that read much and make little', () => {
  it.each([
    'len $s',
    'index $s 0',
    'int $s',
    'int64 $s',
    'float64 $s',
    'mod $s 3',
    'add 1 $s',
    'atoi $s',
    'round $s 2',
    'toDecimal $s',
    'eq $s $t',
    'lt $s $t',
    'contains "b" $s',
    'hasSuffix $s $t',
    'deepEqual $s $t',
    'has $s (list $t)',
    'trunc 1 $s',
    'substr 0 1 $s',
    'abbrev 5 $s',
    'initials $s',
    'trimAll "1" $s',
    'camelcase $s',
    'shuffle $s',
    'sha256sum $s',
    'adler32sum $s',
    'b64dec $s',
    'b32dec $s',
    'urlParse $s',
    'toDate $s "2006"',
    'regexMatch "b" $s',
    'splitn "x" 2 $s',
    'sortAlpha $s',
    'empty $s',
    'toStrings (until 4000)',
  ])('%s', (call) => {
    expect(failureOf(often(call))?.message).toMatch(/more than 1000000 units of work$/);
  });

  it.each([
    ['a list', '{{ $l := until 50000 }}{{ range until 100 }}{{ with first $l }}{{ end }}{{ end }}'],
    [
      'the keys of a dict, which are sorted',
      '{{ $d := dict }}{{ range until 20 }}{{ $_ := set $d (printf "%s%d" (repeat 2000 "k") .) 1 }}{{ end }}' +
        '{{ range until 100 }}{{ range $d }}{{ break }}{{ end }}{{ end }}',
    ],
    [
      'fields',
      `{{ $d := dict }}{{ $_ := set $d "a" $d }}{{ range until 1000 }}{{ with $d${'.a'.repeat(500)} }}{{ end }}{{ end }}`,
    ],
    ['arguments', `{{ range until 1000 }}{{ with and ${'1 '.repeat(1000)} }}{{ end }}{{ end }}`],
    ['groups', '{{ regexReplaceAll (repeat 900 "()") (repeat 500 "a") "" }}'],
    ['a class', '{{ range until 100 }}{{ with regexMatch (printf "[%s]" (repeat 6000 "a-b")) "c" }}{{ end }}{{ end }}'],
    ['what replaces a match', '{{ regexReplaceAll "a" (repeat 1000 "a") (repeat 1000 "$x") }}'],
    ['keys', '{{ range until 1000 }}{{ with genPrivateKey "ecdsa" }}{{ end }}{{ end }}'],
    ['passwords', '{{ derivePassword 1 "long" "a" "b" "c" }}'],
    ['zones', '{{ range until 20 }}{{ with dateInZone "15" 0 "Europe/Berlin" }}{{ end }}{{ end }}'],
    ['zones of a date', '{{ range until 20 }}{{ with htmlDateInZone 0 "Europe/Berlin" }}{{ end }}{{ end }}'],
    ['a layout', '{{ dateInZone (repeat 20000 "2006 ") 0 "UTC" | len }}'],
    [
      'beginnings of certificates',
      '{{ $pem := b64enc (repeat 300 "-----BEGIN A-----\\n") }}{{ buildCustomCert $pem $pem }}',
    ],
    [
      'constraints',
      '{{ range until 100 }}{{ with semverCompare (printf ">1%s" (repeat 500 " ")) "1.0.0" }}{{ end }}{{ end }}',
    ],
    ['steps', '{{ range until 100000 }}{{ end }}'],
  ])('%s', (_what, text) => {
    expect(failureOf(text)?.message).toMatch(/more than 1000000 units of work$/);
  });
});

describe('texts that take long elsewhere', () => {
  // All of them would take minutes if they took the square of their length.
  it.each([
    ['a number', '{{ int (repeat 2000000 "1") }}'],
    ['a number with zeros before it', '{{ atoi (printf "%s7" (repeat 2000000 "0")) }}'],
    ['a number that is none', '{{ float64 (printf "%sx" (repeat 2000000 "1")) }}'],
    ['a hexadecimal number', '{{ float64 (printf "0x%sp1" (repeat 2000000 "f")) }}'],
    ['a hexadecimal number that is none', '{{ float64 (printf "0x%s" (repeat 2000000 "f")) }}'],
    ['a number in YAML', '{{ toYaml (repeat 2000000 "1") | len }}'],
    ['a version', '{{ semverCompare (printf "1.0.0-%s" (repeat 900 "1")) (printf "1.0.0-%s" (repeat 2000000 "2")) }}'],
    ['a duration without a unit', '{{ dateModify (repeat 1000000 "1") (toDate "2006" "2006") }}'],
    ['a duration of many digits', '{{ dateModify (printf "%sh" (repeat 1000000 "1")) (toDate "2006" "2006") }}'],
    ['a format without an end', '{{ printf (repeat 400000 "%[") | len }}'],
    ['a text of bytes', '{{ repeat 300000 (b64dec "/2H/") | b64enc | len }}'],
  ])('%s is read in the time of its length', (_what, text) => {
    expect(failureOf(text, LIMITS.work)?.stage).not.toBe('limit');
  });

  it('a certificate whose lines could be read in many ways is refused', () => {
    const pem = '{{ $pem := printf "-----BEGIN A-----\\n%s" (repeat 60 "a: b: c: d\\n") | b64enc }}';
    expect(failureOf(`${pem}{{ buildCustomCert $pem $pem }}`)?.message).toContain('unable to decode certificate');
  });

  it('constraints and groups without end are refused', () => {
    expect(failureOf('{{ semverCompare (repeat 1001 " ") "1.0.0" }}')?.message).toContain(
      'error calling semverCompare: constraint is longer than 1000 characters',
    );
    expect(failureOf('{{ regexFind (repeat 1001 "()") "a" }}', 1e8)?.message).toContain(
      'expression has too many groups',
    );
  });
});
