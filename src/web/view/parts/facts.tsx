import type { JSX } from 'preact';
import type { Fact } from '../../../portrait/portrait.ts';
import { Ago } from './when.tsx';
import { Words } from './words.tsx';

function isTime(value: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(value);
}

interface FactsProps {
  readonly facts: readonly Fact[];
  /** They are sentences for people, not values: see `Words`. */
  readonly prose?: boolean;
}

export function Facts({ facts, prose = false }: FactsProps): JSX.Element | null {
  if (facts.length === 0) return null;
  return (
    <dl class="facts">
      {facts.map(({ label, value }) => (
        <>
          <dt>
            <Words text={label} />
          </dt>
          <dd>{isTime(value) ? <Ago at={value} after=" ago" /> : <Words text={value} prose={prose} />}</dd>
        </>
      ))}
    </dl>
  );
}
