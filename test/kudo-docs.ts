import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rules } from '../src/kudo/decide/admit/rules.ts';
import { admissionDifferences, type Differs } from './golden/kudo/admission-differences.ts';
import { commandDifferences } from './golden/kudo/command-differences.ts';
import { objectDifferences } from './golden/kudo/object-differences.ts';
import { packageDifferences } from './golden/kudo/package-differences.ts';
import { stepDifferences } from './golden/kudo/step-differences.ts';
import { stepRecordings } from './golden/kudo/step-recording.ts';
import { cell, code, generated } from './markdown.ts';

const ledger = join(import.meta.dirname, '../examples/kudo/ledger');

/** The sample package as one file, so that the program carries it wherever it is installed. */
export function samplePackage(): string {
  const files = readdirSync(ledger, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.yaml'))
    .sort();
  const texts = Object.fromEntries(files.map((file) => [file, readFileSync(join(ledger, file), 'utf8')]));
  return `${JSON.stringify(texts, undefined, 2)}\n`;
}

/** The page of all reasons for which a change of an Instance is refused. */
export function kudoRefusalsPage(): string {
  return [
    '# Refused changes of an Instance',
    '',
    generated,
    '',
    'A change that is refused stays in the spec and is not carried out: plans go on with what was accepted last (`status.accepted`), and',
    'the condition `Accepted` is False with one of these reasons. With the webhook the API server refuses it in the first place, in the',
    'same words. Words in braces are filled in.',
    '',
    '| reason | when | what is said | what to do |',
    '| --- | --- | --- | --- |',
    ...Object.entries<{ readonly when: string; readonly text: string; readonly wayOut?: string }>(rules).map(
      ([reason, { when, text, wayOut = '' }]) => `| \`${reason}\` | ${cell(when)} | ${cell(text)} | ${cell(wayOut)} |`,
    ),
    '',
  ].join('\n');
}

const differences: Readonly<Record<Differs, string>> = {
  waits: 'the change waits',
  cancels: 'the plan is cancelled',
  words: 'other words',
  values: 'other values',
  'nothing to do': 'no plan runs',
};

/** One row of the page of recorded differences. */
interface Row {
  readonly recording: string;
  readonly what: string;
  readonly because: string;
}

/** The page of all that was recorded of KUDO and is not so here, one row for each reason. */
export function kudoDifferencesPage(): string {
  return [
    '# Where recordings of KUDO differ',
    '',
    generated,
    '',
    'What KUDO 0.19.0 did with fifteen packages in some 220 steps was recorded on a real cluster and is compared in the tests with what Cutover',
    'does. A difference that is not listed here fails the comparison, and so does a row that no longer occurs.',
    '',
    ...section(
      'What is refused, and which plan runs',
      admissionDifferences.map(({ step, differs, because }) => ({
        recording: step,
        what: differences[differs],
        because,
      })),
    ),
    ...section(
      'What is applied',
      objectDifferences.map(({ kind, field, because }) => ({
        recording: kind === '*' ? 'any object' : kind,
        what: code(field),
        because,
      })),
    ),
    ...section('What becomes of each step', stepRows()),
    ...section('What commands print', commandDifferences.map(line)),
    ...section(
      'What is said of packages',
      packageDifferences.map(({ recording, ...rest }) => line({ step: recording, ...rest })),
    ),
  ].join('\n');
}

/** The steps that a difference is about, by their names. */
function stepRows(): readonly Row[] {
  const steps = stepRecordings().flatMap((one) => one.steps.map(({ step }) => `${one.package}/${step}`));
  return stepDifferences.flatMap(({ step, what, because }) => {
    const about = steps.filter((name) => step.test(name));
    const named = about.length === steps.length ? ['any step'] : about;
    return named.map((recording) => ({ recording, what, because }));
  });
}

function section(title: string, rows: readonly Row[]): string[] {
  if (rows.length === 0) return [`## ${title}`, '', 'Nothing.', ''];
  const same = Map.groupBy(rows, ({ what, because }) => `${what}\n${because}`);
  return [
    `## ${title}`,
    '',
    '| recordings | here | why it stays |',
    '| --- | --- | --- |',
    ...[...same.values()].map((group) => {
      const [{ what, because } = { what: '', because: '' }] = group;
      return `| ${[...new Set(group.map(({ recording }) => code(recording)))].join(', ')} | ${what} | ${cell(because)} |`;
    }),
    '',
  ];
}

interface LineDifference {
  readonly step: string | RegExp;
  readonly only: 'ours' | 'theirs';
  readonly line: RegExp;
  readonly because: string;
}

function line({ step, only, line, because }: LineDifference): Row {
  const recording = typeof step === 'string' ? step : plain(step);
  return { recording, what: `${only === 'ours' ? 'besides' : 'without'} ${code(plain(line))}`, because };
}

/** A pattern without what only a machine needs. */
function plain({ source }: RegExp): string {
  return source.replaceAll('\\', '').replaceAll(/^\^|\$$/g, '');
}
