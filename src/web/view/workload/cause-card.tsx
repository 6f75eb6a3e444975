import type { JSX } from 'preact';
import type { Cause } from '../../../portrait/portrait.ts';
import { Card } from '../parts/card.tsx';
import { FieldChanges } from '../parts/field-changes.tsx';
import { Ago } from '../parts/when.tsx';
import { Words } from '../parts/words.tsx';

/** Why something is being done, or was done last. */
export function CauseCard({
  cause,
  inTransition,
}: {
  readonly cause: Cause;
  readonly inTransition: boolean;
}): JSX.Element {
  const aside = (
    <span class="quiet small">
      <code>
        <Words text={cause.kind} />
      </code>
      {cause.generation !== undefined && ` · generation ${cause.generation}`}
      {cause.since !== undefined && (
        <>
          {' · '}
          <Ago at={cause.since} after=" ago" />
        </>
      )}
    </span>
  );
  return (
    <Card title={inTransition ? 'Cause' : 'Cause of the last change'} aside={aside}>
      <p class="wrap">
        <Words text={cause.because} lines prose />
      </p>
      <FieldChanges changes={cause.changes} />
    </Card>
  );
}
