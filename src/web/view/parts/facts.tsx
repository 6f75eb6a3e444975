import type { JSX } from 'preact';
import type { Fact } from '../../../portrait/portrait.ts';
import { Words } from './words.tsx';

export function Facts({ facts }: { readonly facts: readonly Fact[] }): JSX.Element | null {
  if (facts.length === 0) return null;
  return (
    <dl class="facts">
      {facts.map(({ label, value }) => (
        <>
          <dt>
            <Words text={label} />
          </dt>
          <dd>
            <Words text={value} />
          </dd>
        </>
      ))}
    </dl>
  );
}
