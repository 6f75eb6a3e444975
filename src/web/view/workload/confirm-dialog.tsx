import type { JSX } from 'preact';
import { harmless } from '../../../portrait/text/harmless.ts';
import type { Offer } from '../../../portrait/wire.ts';
import { Command } from '../parts/command.tsx';
import { Icon } from '../parts/icon.tsx';
import { Modal } from '../parts/modal.tsx';
import { Words } from '../parts/words.tsx';

export interface ConfirmDialogProps {
  readonly name: string;
  readonly offer: Offer;
  readonly onYes: () => void;
  readonly onClose: () => void;
}

/** Says what is at stake and asks once. Enter does it, Escape does not. */
export function ConfirmDialog({ name, offer, onYes, onClose }: ConfirmDialogProps): JSX.Element {
  const { verb, command, stake } = offer;
  const word = `${verb[0]?.toUpperCase()}${verb.slice(1)}`;
  return (
    <Modal title={`${word} ${harmless(name)}?`} onClose={onClose}>
      <form method="dialog" onSubmit={onYes}>
        <div class={`callout ${stake?.what === 'state' ? 'tone-bad' : 'tone-weak'}`}>
          <Icon name="alert" />
          <div>
            <strong>{stake?.what === 'state' ? 'State is at stake.' : 'Availability is at stake.'}</strong>{' '}
            <Words text={stake?.question ?? ''} lines prose />
          </div>
        </div>
        <p class="quiet small">The same in a terminal:</p>
        <Command text={command} />
        <div class="actions">
          <button type="button" class="button" onClick={(event) => event.currentTarget.closest('dialog')?.close()}>
            Cancel
          </button>
          <button type="submit" class="button danger" autofocus>
            {word}
          </button>
        </div>
      </form>
    </Modal>
  );
}
