import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { TemplateData } from './data.ts';
import { parseTemplate, renderTemplate } from './template.ts';

/** What Go 1.26 said to each template, with nothing but its own functions. */
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
    return { output: renderTemplate(parseTemplate({ name: 't', text: template }, new Map()), data) };
  } catch (error) {
    return { error: (error as Error).message };
  }
}
