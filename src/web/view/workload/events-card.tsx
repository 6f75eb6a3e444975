import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { EventLine } from '../../../portrait/wire.ts';
import { Card } from '../parts/card.tsx';
import { Icon } from '../parts/icon.tsx';
import { Ago } from '../parts/when.tsx';
import { Words } from '../parts/words.tsx';

const few = 8;

export function EventsCard({ events }: { readonly events: readonly EventLine[] }): JSX.Element {
  const [all, setAll] = useState(false);
  const shown = all ? events : events.slice(0, few);
  return (
    <Card title="Events">
      {events.length === 0 && <p class="quiet">Kubernetes keeps no events of it now.</p>}
      <ul>
        {shown.map(({ at, reason, note, warning, about, count }, index) => (
          <li key={`${at} ${reason} ${about} ${index}`} class={`event ${warning ? 'tone-weak' : 'tone-idle'}`}>
            <span class="quiet small">
              <Ago at={at} />
            </span>
            <Icon name={warning ? 'alert' : 'dot'} />
            <div>
              <strong>
                <Words text={reason} />
              </strong>
              {count > 1 && <span class="quiet small"> ×{count}</span>} <Words text={note} lines />
              <div class="quiet small">
                <Words text={about} />
                {warning && <span class="hidden-visually"> (warning)</span>}
              </div>
            </div>
          </li>
        ))}
      </ul>
      {events.length > few && (
        <button type="button" class="textual" onClick={() => setAll(!all)}>
          {all ? 'show fewer' : `show all ${events.length}`}
        </button>
      )}
    </Card>
  );
}
