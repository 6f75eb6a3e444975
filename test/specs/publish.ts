import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Form } from './form.ts';
import type { Report } from './fuzz-kind.ts';
import { resultsPage } from './results-page.ts';

const page = join(import.meta.dirname, '../../docs/operate/spec-fuzzing.md');

/** Writes the results of a family into the page, when that is asked for: `SPECS_REPORT=yes`. */
export function publish(family: string, form: Form, reports: readonly Report[]): void {
  if (process.env.SPECS_REPORT !== 'yes') return;
  writeFileSync(page, resultsPage(readFileSync(page, 'utf8'), family, form, reports));
}
