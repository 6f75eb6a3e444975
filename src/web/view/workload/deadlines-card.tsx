import type { JSX } from 'preact';
import type { Deadline } from '../../../portrait/portrait.ts';
import { Card } from '../parts/card.tsx';
import { Countdown } from '../parts/when.tsx';
import { Words } from '../parts/words.tsx';

export function DeadlinesCard({ deadlines }: { readonly deadlines: readonly Deadline[] }): JSX.Element {
  return (
    <Card title="Happens by itself" class="second">
      <ul class="deadlines">
        {deadlines.map(({ what, at }) => (
          <li key={what}>
            <span class="wrap">
              <Words text={what} />
            </span>
            <Countdown at={at} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
