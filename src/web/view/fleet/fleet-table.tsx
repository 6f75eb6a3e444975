import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { subjectId } from '../../../portrait/subject.ts';
import type { Summary } from '../../../portrait/summary.ts';
import { FleetRow } from './fleet-row.tsx';

/** How many rows are added whenever the end comes near: a fleet of thousands is there at once, and the rest while one scrolls. */
const portion = 150;

export interface FleetTableProps {
  readonly summaries: readonly Summary[];
  /** There are workloads, though none may be among those shown. */
  readonly filtered: boolean;
}

export function FleetTable({ summaries, filtered }: FleetTableProps): JSX.Element {
  const [most, setMost] = useState(portion);
  const end = useRef<HTMLDivElement>(null);
  const more = summaries.length > most;
  useEffect(() => {
    if (!more || !end.current) return;
    const near = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) setMost(most + portion);
      },
      { rootMargin: '1200px' },
    );
    near.observe(end.current);
    return () => near.disconnect();
  }, [more, most]);
  if (summaries.length === 0) return <Nothing filtered={filtered} />;
  return (
    <div class="fleet">
      <table>
        <thead>
          <tr>
            <th scope="col" class="col-status">
              Status
            </th>
            <th scope="col" class="col-name">
              Workload
            </th>
            <th scope="col" class="col-space">
              Namespace
            </th>
            <th scope="col" class="col-serving">
              Serving
            </th>
            <th scope="col" class="col-since">
              Since
            </th>
            <th scope="col">What is going on</th>
          </tr>
        </thead>
        <tbody>
          {summaries.slice(0, most).map((summary) => (
            <FleetRow key={subjectId(summary.subject)} summary={summary} />
          ))}
        </tbody>
      </table>
      {more && (
        <div ref={end} class="empty">
          {(summaries.length - most).toLocaleString('en')} more
        </div>
      )}
    </div>
  );
}

function Nothing({ filtered }: { readonly filtered: boolean }): JSX.Element {
  return (
    <div class="card empty">
      {filtered ? (
        <p>Nothing matches. Clear the filters to see all workloads.</p>
      ) : (
        <>
          <p>There are no workloads that you may see.</p>
          <p class="small">
            Make one with <code>kubectl apply</code>, or ask for the right to list them:{' '}
            <code>kubectl auth can-i --list</code> shows what you may do.
          </p>
        </>
      )}
    </div>
  );
}
