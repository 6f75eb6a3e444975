import { readFile, writeFile } from 'node:fs/promises';
import { TEMPLATES_QUESTIONS } from '../../golden/kudo/templates-questions.ts';
import type { Answer } from './oracle.ts';

const file = new URL('../../golden/kudo/templates.json', import.meta.url);

/** What Go said to the questions, as the recordings keep it. */
export function withQuestions(answers: readonly Answer[]): readonly unknown[] {
  return TEMPLATES_QUESTIONS.map(({ text, bare }, index) => ({ text, bare, ...answers[index] }));
}

/** Writes the answers down when `CUTOVER_RECORD` is set. Returns those that are written down. */
export async function keepAnswers(answers: readonly Answer[]): Promise<unknown> {
  if (process.env.CUTOVER_RECORD === '1') {
    await writeFile(file, `${JSON.stringify(withQuestions(answers), null, 2)}\n`);
  }
  return JSON.parse(await readFile(file, 'utf8'));
}
