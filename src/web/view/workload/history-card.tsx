import type { JSX } from 'preact';
import type { PastChange } from '../../../portrait/portrait.ts';
import { between, span } from '../../model/span.ts';
import { useDesk } from '../desk.ts';
import { Card } from '../parts/card.tsx';
import { Few } from '../parts/few.tsx';
import { Icon } from '../parts/icon.tsx';
import { Ago } from '../parts/when.tsx';
import { Words } from '../parts/words.tsx';

export function HistoryCard({ history }: { readonly history: readonly PastChange[] }): JSX.Element {
  return (
    <Card title="History">
      {history.length === 0 && <p class="quiet">Nothing was changed yet that anybody wrote down.</p>}
      <Few of={history} first={6} item={(past) => <Past key={past.id} past={past} />} />
    </Card>
  );
}

function Past({ past }: { readonly past: PastChange }): JSX.Element {
  const { now } = useDesk();
  const took = past.endedAt === undefined ? undefined : between(past.startedAt, past.endedAt, now.value);
  return (
    <li class="past">
      <div class="past-line">
        <span class={`badge tone-${past.good ? 'good' : 'bad'}`}>
          <Icon name={past.good ? 'check' : 'cross'} />
          <Words text={past.outcome} />
        </span>
        <strong>
          <Words text={past.what} />
        </strong>
        {took !== undefined && <span class="quiet small">{`took ${span(took, true)}`}</span>}
        <span class="right quiet small">
          <Ago at={past.endedAt ?? past.startedAt} after=" ago" />
        </span>
      </div>
      <p class="small wrap">
        <Words text={past.because} />
      </p>
      {past.info !== undefined && (
        <p class="quiet small wrap">
          <Words text={past.info} />
        </p>
      )}
      {past.steps.length > 0 && (
        <p class="quiet small wrap">
          {past.steps.map(({ name, startedAt }, index) => {
            const end = past.steps[index + 1]?.startedAt ?? past.endedAt;
            const ms = end === undefined ? undefined : between(startedAt, end, now.value);
            return (
              <>
                {index > 0 && ' → '}
                <code>
                  <Words text={name} />
                </code>
                {ms !== undefined && ` ${span(ms, true)}`}
              </>
            );
          })}
        </p>
      )}
    </li>
  );
}
