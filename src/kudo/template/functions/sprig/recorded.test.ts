import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { TemplateData } from '../../data.ts';
import { parseTemplate, renderTemplate } from '../../template.ts';
import { sprigFunctions } from './sprig-functions.ts';

/** What Go 1.26 with sprig 2.22.0 (mergo 0.3.9, semver 1.5.0, yaml.v2 2.3.0, as in KUDO 0.19) said to each template. */
interface Recorded {
  readonly template: string;
  readonly cases: readonly { readonly data?: TemplateData; readonly output?: string; readonly error?: string }[];
}

const folder = new URL('./recorded/', import.meta.url);

describe.each(readdirSync(folder).sort())('answers of real Go, %s', (file) => {
  const recordings = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as readonly Recorded[];

  it.each(recordings)('$template', ({ template, cases }) => {
    for (const { data = {}, output, error } of cases) {
      expect(answer(template, data), JSON.stringify(data)).toEqual(error === undefined ? { output } : { error });
    }
  });
});

function answer(template: string, data: TemplateData): { output: string } | { error: string } {
  try {
    const text = renderTemplate(parseTemplate({ name: 't', text: template }, sprigFunctions), data);
    return { output: text.toWellFormed() };
  } catch (error) {
    return { error: (error as Error).message };
  }
}
