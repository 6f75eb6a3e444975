import fc from 'fast-check';
import { expect, it, describe as suite } from 'vitest';
import { usesOf } from './analysis.ts';
import { describe } from './syntax/describe.ts';
import { parseTemplate, renderTemplate, type Template } from './template.ts';
import { TemplateError } from './template-error.ts';

const PIECES = [
  ...[
    '{{',
    '}}',
    '{{-',
    '-}}',
    ' ',
    '\n',
    '(',
    ')',
    '|',
    ',',
    ':=',
    '=',
    '.',
    '$',
    '"',
    '`',
    "'",
    '\\',
    '/*',
    '*/',
    '%',
    '-',
  ],
  ...[
    'if',
    'else',
    'end',
    'range',
    'with',
    'define',
    'template',
    'block',
    'break',
    'continue',
    'nil',
    'true',
    'print',
    'len',
  ],
  ...[
    '"x"',
    '.a',
    '$x',
    '1',
    '0x',
    '1e9',
    '1.5',
    'é',
    '𝒳',
    '\ud83d',
    'printf "%v"',
    '{{ end }}',
    '{{ if 1 }}',
    '{{ .a }}',
  ],
] as const;

const texts = fc.array(fc.constantFrom(...PIECES), { maxLength: 25 }).map((pieces) => pieces.join(''));
const data = { a: { a: ['x', 1, null] } };

function parsed(text: string): Template | undefined {
  try {
    return parseTemplate({ name: 't', text }, new Map());
  } catch (error) {
    expect(error).toBeInstanceOf(TemplateError);
    return undefined;
  }
}

function rendered(template: Template): string {
  try {
    return renderTemplate(template, data);
  } catch (error) {
    expect(error).toBeInstanceOf(TemplateError);
    return (error as TemplateError).message.replace(/:\d+:\d+:/, '');
  }
}

suite('any text', () => {
  it('is a template or has an error with a place', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const template = parsed(text);
        if (!template) return;
        expect(rendered(template)).toBe(rendered(template));
        usesOf(template);
      }),
      { numRuns: 3000, seed: 7 },
    );
  });

  it('says the same when it is written out again', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const template = parsed(text);
        const list = template?.lists.get('t');
        // Definitions are not written out.
        if (!template || !list || template.lists.size > 1 || text.includes('define')) return;
        const again = parseTemplate({ name: 't', text: describe(list) }, new Map());
        expect(rendered(again)).toBe(rendered(template));
      }),
      { numRuns: 3000, seed: 8 },
    );
  });
});
