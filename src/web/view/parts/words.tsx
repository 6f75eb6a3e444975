import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { harmless, harmlessText } from '../../../portrait/text/harmless.ts';

const short = 320;
/** More than this is not for reading in a browser. */
const longest = 100_000;

/**
 * Text that somebody else wrote. What could make it look other than it is is shown as an escape, and what is long is cut until
 * somebody wants to see all of it. `lines` keeps line breaks.
 */
export function Words({ text, lines, limit = short }: { text: string; lines?: boolean; limit?: number }): JSX.Element {
  const [all, setAll] = useState(false);
  const safe = (part: string): string => (lines ? harmlessText(part) : harmless(part));
  if (text.length <= limit * 1.2) return <>{safe(text)}</>;
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
