import type { JSX } from 'preact';
import { Words } from '../parts/words.tsx';

export function MissingScreen({ id }: { readonly id: string }): JSX.Element {
  return (
    <div class="card empty">
      <h1>Not found</h1>
      <p>
        <code>
          <Words text={id} />
        </code>{' '}
        is not there, or you may not see it. If somebody makes it, it will appear here.
      </p>
      <p>
        <a href="/">Go to the fleet</a>
      </p>
    </div>
  );
}
