import type { JSX } from 'preact';
import type { Phase } from '../../../portrait/summary.ts';
import { Icon } from './icon.tsx';
import { lookOf } from './phase-look.ts';

/** How something is: icon, colour and word always say the same. `text` is said instead of the phase's own word. */
export function PhaseBadge({ phase, large, text }: { phase: Phase; large?: boolean; text?: string }): JSX.Element {
  const { icon, tone, word } = lookOf(phase);
  return (
    <span class={`badge tone-${tone}${large ? ' large' : ''}`}>
      <Icon name={icon} turning={phase === 'progressing'} />
      {text ?? word}
    </span>
  );
}
