import type { JSX } from 'preact';
import type { Answers } from '../../../portrait/portrait.ts';
import { Card } from '../parts/card.tsx';
import { Words } from '../parts/words.tsx';

const questions: readonly (readonly [keyof Answers, string])[] = [
  ['serves', 'What serves now?'],
  ['changing', 'What is changing, and why?'],
  ['progress', 'How far is it?'],
  ['ifStopped', 'What if I stop it?'],
  ['next', 'What do I do next?'],
];

/** The five things that everybody asks during a change. */
export function AnswersCard({ answers }: { readonly answers: Answers }): JSX.Element {
  return (
    <Card title="Right now" class="first">
      <dl class="answers">
        {questions.map(([key, question]) => (
          <>
            <dt>{question}</dt>
            <dd data-answer={key} class={key === 'next' ? 'last' : ''}>
              <Words text={answers[key]} prose />
            </dd>
          </>
        ))}
      </dl>
    </Card>
  );
}
