import type { JSX } from 'preact';
import type { Fact } from '../../../portrait/portrait.ts';
import { Ago } from './when.tsx';
import { Words } from './words.tsx';

function isTime(value: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(value);
}

export function Facts({ facts }: { readonly facts: readonly Fact[] }): JSX.Element | null {
  if (facts.length === 0) return null;
  return (
    <dl class="facts">
      {facts.map(({ label, value }) => (
        <>
          <dt>
            <Words text={label} />
          </dt>
          <dd>{isTime(value) ? <Ago at={value} after=" ago" /> : <Words text={value} />}</dd>
        </>
      ))}
    </dl>
  );
}
