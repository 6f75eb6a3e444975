import type { ComponentChildren, JSX } from 'preact';
import { Icon, type IconName } from '../parts/icon.tsx';
import type { Tone } from '../parts/phase-look.ts';

export interface ChipProps {
  readonly icon: IconName;
  readonly tone: Tone;
  readonly pressed: boolean;
  readonly count: number;
  readonly onPress: () => void;
  readonly children: ComponentChildren;
}

/** A filter that is on or off, with how many it would leave. */
export function Chip({ icon, tone, pressed, count, onPress, children }: ChipProps): JSX.Element {
  return (
    <button type="button" class={`chip tone-${tone}`} aria-pressed={pressed} onClick={onPress}>
      <Icon name={icon} />
      {children}
      <span class="count">{count.toLocaleString('en')}</span>
    </button>
  );
}
