import type { JSX } from 'preact';
import { subjectId } from '../../../portrait/subject.ts';
import { harmless } from '../../../portrait/text/harmless.ts';
import { meant } from '../../model/meant.ts';
import { pathOf } from '../../model/route.ts';
import { useDesk } from '../desk.ts';
import { Words } from '../parts/words.tsx';

export function MissingScreen({ id }: { readonly id: string }): JSX.Element {
  const near = meant(id, useDesk().listed.value);
  return (
    <div class="card empty">
      <h1>Not found</h1>
      <p>
        <code>
          <Words text={id} />
        </code>{' '}
        is not there, or you may not see it. If somebody makes it, it will appear here.
      </p>
      {near.length > 0 && (
        <div>
          <p>Did you mean</p>
          <ul>
            {near.map(({ subject }) => (
              <li key={subjectId(subject)}>
                <a href={pathOf({ at: 'workload', id: subjectId(subject) })}>
                  {harmless(subject.title ?? subject.name)}
                </a>{' '}
                <span class="small">
                  {harmless(subject.kind)} in {harmless(subject.namespace)}
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
      <p>
        <a href="/">Go to the fleet</a>
      </p>
    </div>
  );
}
