import type { JSX } from 'preact';
import type { Phase } from '../../../portrait/summary.ts';
import { Icon } from './icon.tsx';
import { lookOf } from './phase-look.ts';

export interface PhaseBadgeProps {
  readonly phase: Phase;
  readonly large?: boolean;
  /** Said instead of the phase's own word. */
  readonly text?: string;
  /** Among many, where nothing should move. */
  readonly still?: boolean;
}

/** How something is: icon, colour and word always say the same. */
export function PhaseBadge({ phase, large, text, still }: PhaseBadgeProps): JSX.Element {
  const { icon, tone, word } = lookOf(phase);
  return (
    <span class={`badge tone-${tone}${large ? ' large' : ''}`}>
      <Icon name={icon} turning={phase === 'progressing' && !still} />
      {text ?? word}
    </span>
  );
}
