import type { JSX } from 'preact';
import { useDesk } from './desk.ts';

const looks = {
  connecting: { tone: 'idle', text: 'connecting…' },
  live: { tone: 'good', text: 'live' },
  reconnecting: { tone: 'ask', text: 'reconnecting…' },
} as const;

/** Whether what is shown is what is. */
export function LinkState(): JSX.Element {
  const { tone, text } = looks[useDesk().link.value];
  return (
    <span class={`link-state tone-${tone}`} role="status" aria-live="polite">
      {text}
    </span>
  );
}
