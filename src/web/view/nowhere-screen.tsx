import type { JSX } from 'preact';
import { Words } from './parts/words.tsx';

export function NowhereScreen({ path }: { readonly path: string }): JSX.Element {
  return (
    <div class="card empty">
      <h1>There is no such page</h1>
      <p>
        <Words text={path} /> leads nowhere. The address of a workload is <code>/w/KIND/NAMESPACE/NAME</code>.
      </p>
      <p>
        <a href="/">Go to the fleet</a>
      </p>
    </div>
  );
}
