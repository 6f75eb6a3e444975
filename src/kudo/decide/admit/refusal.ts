import { line } from '../../../change/show.ts';
import { type Reason, type Rule, rules } from './rules.ts';
import type { Verdict } from './view.ts';

export type Refused = Extract<Verdict, { readonly is: 'refused' }>;

/** A value in a message is cut after so many characters: conditions and events are short, parameters may be files. */
const longest = 1000;

/** A refusal by a rule, with the words that it leaves open. */
export function refusal(reason: Reason, words: Readonly<Record<string, string>>): Refused {
  const { text, wayOut }: Rule = rules[reason];
  return {
    is: 'refused',
    reason,
    message: filled(wayOut ? `${text}: ${wayOut}` : text, new Map(Object.entries(words))),
  };
}

/** In one go: what is filled in is not looked at again, whatever braces it has. */
function filled(text: string, words: ReadonlyMap<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (_, word: string) => cut(words.get(word) ?? ''));
}

/** On one line: words are what people wrote, and may end in a terminal. */
function cut(word: string): string {
  return line(word.length > longest ? `${word.slice(0, longest)}…` : word);
}
