import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { Offer } from '../../../portrait/wire.ts';
import { Command } from '../parts/command.tsx';
import { Words } from '../parts/words.tsx';

export interface OfferLineProps {
  readonly offer: Offer;
  /** The verb that is being done. */
  readonly busy: string | undefined;
  readonly onPress: () => void;
}

export function OfferLine({ offer, busy, onPress }: OfferLineProps): JSX.Element {
  const id = useId();
  const { verb, summary, command, whyNot, stake } = offer;
  return (
    <div class="offer">
      <div class="line">
        <button
          type="button"
          class={`button${verb === 'promote' && whyNot === undefined ? ' main' : ''}`}
          data-verb={verb}
          disabled={whyNot !== undefined || busy !== undefined}
          aria-describedby={id}
          onClick={onPress}
        >
          {busy === verb ? 'Asking…' : `${verb[0]?.toUpperCase()}${verb.slice(1)}${stake ? '…' : ''}`}
        </button>
        <span id={id} class="quiet small wrap">
          <Words text={whyNot ?? summary} prose />
        </span>
      </div>
      {whyNot === undefined && <Command text={command} />}
    </div>
  );
}
