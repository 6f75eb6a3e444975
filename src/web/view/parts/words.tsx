import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { harmless, harmlessText } from '../../../portrait/text/harmless.ts';

const short = 320;
/** More than this is not for reading in a browser. */
const longest = 100_000;

export interface WordsProps {
  readonly text: string;
  /** Line breaks stay. */
  readonly lines?: boolean;
  /** It is a sentence for people, where what is between backticks is to be typed. Never for values: theirs stay as they are. */
  readonly prose?: boolean;
  /** How much is shown until somebody wants to see all. */
  readonly limit?: number;
}

/** Text that somebody else wrote: what could make it look other than it is is shown as an escape, and what is long is cut. */
export function Words({ text, lines, prose, limit = short }: WordsProps): JSX.Element {
  const [all, setAll] = useState(false);
  const safe = (part: string): string => (lines ? harmlessText(part) : harmless(part));
  if (text.length <= limit * 1.2) return <>{prose ? withCode(safe(text)) : safe(text)}</>;
  return (
    <>
      {safe(text.slice(0, all ? longest : limit))}
      {all && text.length <= longest ? ' ' : '… '}
      <button type="button" class="textual" onClick={() => setAll(!all)}>
        {all ? 'show less' : `show all (${text.length.toLocaleString('en')} characters)`}
      </button>
    </>
  );
}

/** An odd backtick is no mark. */
function withCode(text: string): string | (string | JSX.Element)[] {
  const parts = text.split('`');
  if (parts.length % 2 === 0) return text;
  return parts.map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>));
}
