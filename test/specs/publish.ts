import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
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

/** Adds what became of each operation on a kind to a file, a line of JSON each: `SPECS_FINDINGS=/tmp/findings.jsonl`. */
export function record({ findings }: Report): void {
  const file = process.env.SPECS_FINDINGS;
  if (!file) return;
  const lines = findings.map(({ kind, operation: { class: is, name }, outcome, problems, declared }) =>
    JSON.stringify({ kind, class: is, operation: name, outcome, problems, declared }),
  );
  appendFileSync(file, `${lines.join('\n')}\n`);
}
