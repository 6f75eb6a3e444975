import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { cacheDirectory } from '../../../rig/directories.ts';
import { provide } from '../../../rig/parts.ts';
import { silent } from '../../../rig/progress.ts';
import type { TemplateData } from '../../../src/kudo/template/data.ts';

/** A template to render. */
export interface Question {
  readonly name: string;
  readonly text: string;
  readonly data: TemplateData;
  /** Only with Go's own functions, some of which sprig hides. */
  readonly bare?: boolean;
  /** Also tell how long one of so many renderings takes. */
  readonly repeat?: number;
}

/** What came of it. */
export interface Answer {
  readonly output?: string;
  readonly error?: string;
  readonly nanoseconds?: number;
}

/** Asks Go, in one process. */
export async function askGo(questions: readonly Question[]): Promise<readonly Answer[]> {
  const { templates } = await provide(cacheDirectory(), ['templates'], silent);
  const child = spawn(join(templates, 'templates'), { stdio: ['pipe', 'pipe', 'inherit'] });
  const answers: Answer[] = [];
  for (const question of questions) child.stdin.write(`${JSON.stringify(question)}\n`);
  child.stdin.end();
  for await (const line of createInterface({ input: child.stdout })) answers.push(JSON.parse(line) as Answer);
  if (answers.length !== questions.length) {
    throw new Error(`Go answered ${answers.length} of ${questions.length} questions; the next one was its last`);
  }
  return answers;
}
