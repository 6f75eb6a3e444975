import type { JSX } from 'preact';
import type { ConditionLine } from '../../../portrait/portrait.ts';
import { Card } from '../parts/card.tsx';
import { Ago } from '../parts/when.tsx';
import { Words } from '../parts/words.tsx';

export function ConditionsCard({ conditions }: { readonly conditions: readonly ConditionLine[] }): JSX.Element | null {
  if (conditions.length === 0) return null;
  return (
    <Card title="Conditions">
      <ul class="conditions">
        {conditions.map(({ type, status, reason, message, since }) => (
          <li key={type}>
            <div class="past-line">
              <strong>
                <Words text={type} />
              </strong>
              <span class="tag">
                <Words text={status} />
              </span>
              <span class="quiet small">
                <Words text={reason} />
              </span>
              <span class="right quiet small">
                <Ago at={since} />
              </span>
            </div>
            {message !== '' && (
              <p class="quiet small wrap">
                <Words text={message} lines />
              </p>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
