import type { JSX } from 'preact';
import { useDesk } from '../desk.ts';
import { Icon } from './icon.tsx';
import { Words } from './words.tsx';

/** What came of what somebody did. Bad news stay until they are put away. */
export function Toasts(): JSX.Element {
  const desk = useDesk();
  return (
    <div class="toasts" role="status" aria-live="polite">
      {desk.toasts.value.map(({ id, good, text }) => (
        <div key={id} class={`toast ${good ? 'tone-good' : 'tone-bad'}`}>
          <Icon name={good ? 'check' : 'alert'} />
          <p>
            <Words text={text} prose />
          </p>
          <button type="button" class="button plain tiny" aria-label="Put away" onClick={() => desk.dismiss(id)}>
            <Icon name="cross" />
          </button>
        </div>
      ))}
    </div>
  );
}
