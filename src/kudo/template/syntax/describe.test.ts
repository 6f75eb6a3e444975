import { expect, it, describe as suite } from 'vitest';
import { BUILTINS } from '../functions/builtins.ts';
import { describe } from './describe.ts';
import { parse } from './parser.ts';

function again(text: string): string {
  const list = parse('t', text, (name) => BUILTINS.get(name)).get('t');
  return list ? describe(list) : 'nothing';
}

suite('a template written out again', () => {
  it.each([
    ['text  stays', 'text  stays'],
    ['{{.a.b}}{{  $  }}{{$.x.y}}', '{{.a.b}}{{$}}{{$.x.y}}'],
    [
      '{{ . }}{{ print nil }}{{ true }}{{ false }}{{ 0x1F }}{{ "a\\n" }}{{ `r` }}',
      '{{.}}{{print nil}}{{true}}{{false}}{{0x1F}}{{"a\\n"}}{{`r`}}',
    ],
    ['{{ $x:=1 }}{{ $x =2|print   $x }}', '{{$x := 1}}{{$x = 2 | print $x}}'],
    ['{{ print (print 1|print).x (len .a) }}', '{{print (print 1 | print).x (len .a)}}'],
    ['{{ print.x }}', '{{print.x}}'],
    ['{{ if 1 }}a{{ else if 2 }}b{{ else }}c{{ end }}', '{{if 1}}a{{else}}{{if 2}}b{{else}}c{{end}}{{end}}'],
    ['{{ with $w := 1 }}{{ $w }}{{ end }}', '{{with $w := 1}}{{$w}}{{end}}'],
    [
      '{{ range $i , $e := .l -}} x {{ break }}{{continue }}{{ end }}',
      '{{range $i, $e := .l}}x {{break}}{{continue}}{{end}}',
    ],
    ['{{ template "a\\"b" }}{{ template `c` . }}{{/* gone */}}', '{{template "a\\"b"}}{{template "c" .}}'],
    ['{{ block "b" 1 }}x{{ end }}', '{{template "b" 1}}'],
    ['{{ define "d" }}x{{ end }}', ''],
  ])('%s', (text, written) => {
    expect(again(text)).toBe(written);
  });
});
