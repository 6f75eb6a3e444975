import { useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import { ago, span } from '../../model/span.ts';
import { useDesk } from '../desk.ts';

/** How long ago something was; the exact time is in the tooltip. Nothing when the time is unknown. */
export function Ago({
  at,
  after = '',
}: {
  readonly at: string | undefined;
  readonly after?: string;
}): JSX.Element | null {
  const { now } = useDesk();
  // Drawn again when the text changes, not each second: there may be a thousand of them.
  const { value: text } = useComputed(() => ago(at, now.value));
  if (text === '' || at === undefined) return null;
  return (
    <time dateTime={at} title={exactly(at)}>
      {text === 'now' ? 'just now' : `${text}${after}`}
    </time>
  );
}

/** How long until something happens by itself. */
export function Countdown({ at }: { readonly at: string }): JSX.Element | null {
  const left = Date.parse(at) - useDesk().now.value;
  if (Number.isNaN(left)) return null;
  return (
    <time dateTime={at} title={exactly(at)}>
      {left > 0 ? `in ${span(left)}` : `due for ${span(-left)}`}
    </time>
  );
}

function exactly(at: string): string {
  return new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'long' });
}
