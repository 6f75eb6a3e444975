import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { TemplateData } from '../../../src/kudo/template/data.ts';
import type { FunctionTable } from '../../../src/kudo/template/function.ts';
import { sprigFunctions } from '../../../src/kudo/template/functions/sprig/sprig-functions.ts';
import { parseTemplate, renderTemplate } from '../../../src/kudo/template/template.ts';
import { TemplateError } from '../../../src/kudo/template/template-error.ts';
import vectors from './templates.json' with { type: 'json' };
import { TEMPLATES_DATA, TEMPLATES_QUESTIONS } from './templates-questions.ts';
import rendered from './templates-rendered.json' with { type: 'json' };

/** What comes of a template, in the words of the recordings. */
function outcome(name: string, text: string, data: TemplateData, functions: FunctionTable) {
  try {
    return { output: renderTemplate(parseTemplate({ name, text }, functions), data) };
  } catch (error) {
    if (error instanceof TemplateError) return { error: error.message };
    throw error;
  }
}

function template(pack: string, name: string): string {
  return readFileSync(join(import.meta.dirname, 'packages', pack, 'package', 'templates', name), 'utf8');
}

describe('what real Go made of templates', () => {
  it('has an answer to every question', () => {
    expect(vectors.map(({ text }) => text)).toEqual(TEMPLATES_QUESTIONS.map(({ text }) => text));
  });

  it.each(vectors.map((vector, index) => [index, vector.text.slice(0, 60), vector] as const))(
    '%i: %s',
    (_index, _title, { text, bare, ...answer }) => {
      const functions = bare ? new Map() : sprigFunctions;
      expect(outcome('t.yaml', text, TEMPLATES_DATA, functions)).toEqual(answer);
    },
  );
});

describe('what KUDO rendered', () => {
  const context = (params: TemplateData): TemplateData => ({ Name: 'tp', Params: params, Pipes: {} });

  it.each(rendered.steps)('$step', ({ params, rendered: maps }) => {
    for (const [name, data] of Object.entries(maps)) {
      const { output, error } = outcome(name, template('12-templates', name), context(params), sprigFunctions);
      expect(error).toBeUndefined();
      expect(parse(output ?? '')).toMatchObject({ data });
    }
  });

  it.each(rendered.errors)('$template: $message', ({ template: name, stage, message }) => {
    const params = rendered.steps[0]?.params ?? {};
    const failing = (): string =>
      renderTemplate(
        parseTemplate({ name, text: template('15-template-errors', name) }, sprigFunctions),
        context(params),
      );
    expect(failing).toThrow(expect.objectContaining({ message, stage, template: name }));
  });
});
