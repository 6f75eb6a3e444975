/** `node test/real/templates/record.ts`: writes down what Go makes of the questions in test/golden/kudo. */
import { writeFile } from 'node:fs/promises';
import { TEMPLATES_DATA, TEMPLATES_QUESTIONS } from '../../golden/kudo/templates-questions.ts';
import { askGo } from './oracle.ts';

const answers = await askGo(TEMPLATES_QUESTIONS.map((question) => ({ ...question, data: TEMPLATES_DATA })));
const lines = TEMPLATES_QUESTIONS.map(({ name: _, ...question }, index) =>
  JSON.stringify({ ...question, ...answers[index] }),
);
const file = new URL('../../golden/kudo/templates.json', import.meta.url);
await writeFile(file, `[\n${lines.map((line) => `  ${line}`).join(',\n')}\n]\n`);
console.log(`${lines.length} answers in ${file.pathname}`);
