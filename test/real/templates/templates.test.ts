import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FunctionTable } from '../../../src/kudo/template/function.ts';
import { sprigFunctions } from '../../../src/kudo/template/functions/sprig/sprig-functions.ts';
import { parseTemplate, renderTemplate } from '../../../src/kudo/template/template.ts';
import { TemplateError } from '../../../src/kudo/template/template-error.ts';
import { TEMPLATES_DATA, TEMPLATES_QUESTIONS } from '../../golden/kudo/templates-questions.ts';
import { calmTemplates } from './calm-templates.ts';
import { keepAnswers, withQuestions } from './keep-answers.ts';
import { DATA, madeTemplates } from './made-templates.ts';
import { type Answer, askGo } from './oracle.ts';
import { sprigTemplates } from './sprig-templates.ts';

const SEED = 20_261_116;

function rendered(text: string, functions: FunctionTable): Answer {
  try {
    return { output: renderTemplate(parseTemplate({ name: 't.yaml', text }, functions), DATA) };
  } catch (error) {
    if (error instanceof TemplateError) return { error: error.message };
    throw error;
  }
}

/**
 * Where we differ on purpose: what is too much ends sooner, there are no imaginary numbers, and nothing can be seen of the
 * memory that Go has ready behind a slice.
 */
function isOnPurpose(go: Answer, ours: Answer): boolean {
  if (ours.error?.includes('imaginary numbers are not supported')) return true;
  if (ours.error?.endsWith('reflect.Value.Slice: slice index out of bounds'))
    return go.output?.includes('<nil>') ?? false;
  return go.error !== undefined && ours.error?.includes('too much for a template') === true;
}

async function expectAsGo(texts: readonly string[], bare: boolean): Promise<{ readonly renderedByGo: number }> {
  const answers = await askGo(texts.map((text) => ({ name: 't.yaml', text, data: DATA, bare })));
  const functions = bare ? new Map() : sprigFunctions;
  const differences = texts.flatMap((text, index) => {
    const go = answers[index] ?? {};
    const ours = rendered(text, functions);
    const isSame = go.output === ours.output && go.error === ours.error;
    return isSame || isOnPurpose(go, ours) ? [] : [{ text, go, ours }];
  });
  expect(differences.slice(0, 5)).toEqual([]);
  return { renderedByGo: answers.filter(({ output }) => output !== undefined).length };
}

describe('templates that chance made', () => {
  it('that break rules of the language, and say so in the same words', async () => {
    await expectAsGo(fc.sample(madeTemplates, { seed: SEED, numRuns: 8000 }), true);
  });

  it('that mostly can be rendered, and print the same', async () => {
    const texts = fc.sample(calmTemplates, { seed: SEED, numRuns: 6000 });
    const { renderedByGo } = await expectAsGo(texts, true);
    expect(renderedByGo).toBeGreaterThan(texts.length / 2);
  });

  it('that call functions of sprig', async () => {
    const texts = fc.sample(sprigTemplates, { seed: SEED, numRuns: 8000 });
    const { renderedByGo } = await expectAsGo(texts, false);
    expect(renderedByGo).toBeGreaterThan(texts.length / 4);
  });
});

describe('recorded answers', () => {
  it('are still what Go says', async () => {
    const answers = await askGo(TEMPLATES_QUESTIONS.map((question) => ({ ...question, data: TEMPLATES_DATA })));
    expect(await keepAnswers(answers)).toEqual(withQuestions(answers));
  });
});
