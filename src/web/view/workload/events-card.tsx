import type { JSX } from 'preact';
import type { EventLine } from '../../../portrait/wire.ts';
import { Card } from '../parts/card.tsx';
import { Few } from '../parts/few.tsx';
import { Icon } from '../parts/icon.tsx';
import { Ago } from '../parts/when.tsx';
import { Words } from '../parts/words.tsx';

export function EventsCard({ events }: { readonly events: readonly EventLine[] }): JSX.Element {
  return (
    <Card title="Events">
      {events.length === 0 && <p class="quiet">Kubernetes keeps no events of it now.</p>}
      <Few of={events} first={8} item={(event, index) => <OneEvent key={`${event.at} ${index}`} event={event} />} />
    </Card>
  );
}

function OneEvent({ event }: { readonly event: EventLine }): JSX.Element {
  const { at, reason, note, warning, about, count } = event;
  return (
    <li class={`event ${warning ? 'tone-weak' : 'tone-idle'}`}>
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
  );
}
