import type { JSX } from 'preact';
import { harmless } from '../../../portrait/text/harmless.ts';
import { CopyButton } from './copy-button.tsx';

/** The same thing in a terminal. */
export function Command({ text }: { readonly text: string }): JSX.Element {
  return (
    <div class="command">
      <code>
        {harmless(text)
          .split(' ')
          .map((word, index) => (
            <span key={index}>{word} </span>
          ))}
      </code>
      <CopyButton text={harmless(text)} what="the command" />
    </div>
  );
}
