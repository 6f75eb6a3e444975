import type { JSX } from 'preact';
import { Modal } from './parts/modal.tsx';

const keys: readonly (readonly [readonly string[], string])[] = [
  [['/'], 'search the fleet; Enter opens the first'],
  [['j', 'k', '↓', '↑'], 'go down and up in the fleet'],
  [['Enter'], 'open the workload'],
  [['g', 'f'], 'go to the fleet (one after the other)'],
  [['Esc'], 'back, or close what is open'],
  [['?'], 'this help'],
];

export function HelpDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  return (
    <Modal title="Keys" onClose={onClose}>
      <form method="dialog">
        <dl class="keys">
          {keys.map(([pressed, meaning]) => (
            <>
              <dt>
                {pressed.map((key) => (
                  <>
                    <kbd>{key}</kbd>{' '}
                  </>
                ))}
              </dt>
              <dd>{meaning}</dd>
            </>
          ))}
        </dl>
        <div class="actions">
          <button type="submit" class="button main">
            Close
          </button>
        </div>
      </form>
    </Modal>
  );
}
