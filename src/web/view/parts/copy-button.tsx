import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useDesk } from '../desk.ts';
import { Icon } from './icon.tsx';

/** Copies text; says so for a moment. */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }): JSX.Element {
  const [copied, setCopied] = useState(false);
  const desk = useDesk();
  const copy = async (): Promise<void> => {
    try {
      // Browsers have no clipboard for pages that are neither encrypted nor local.
      await navigator.clipboard.writeText(text);
      setCopied(true);
      setTimeout(() => setCopied(false), 2000);
    } catch {
      desk.toast('This browser does not let the page copy. Mark the text and copy it by hand.', false);
    }
  };
  return (
    <button type="button" class="button plain tiny" onClick={copy} aria-label={`Copy ${what}`} title={`Copy ${what}`}>
      <Icon name={copied ? 'check' : 'copy'} />
      <span aria-live="polite">{copied ? 'copied' : ''}</span>
    </button>
  );
}
