import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rules } from '../src/kudo/decide/admit/rules.ts';
import { cell, generated } from './markdown.ts';

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
