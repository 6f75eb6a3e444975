import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { subjectId } from '../../../portrait/subject.ts';
import type { Summary } from '../../../portrait/summary.ts';
import { pathOf } from '../../model/route.ts';
import { useDesk } from '../desk.ts';
import { FleetRow } from './fleet-row.tsx';
import { tableRoles } from './table-roles.ts';

/** How many rows are added whenever the end comes near: a fleet of thousands is there at once, and the rest while one scrolls. */
const portion = 150;

const columns = ['Status', 'Workload', 'Namespace', 'Serving', 'Since', 'What is going on'] as const;

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
  const { cameFrom } = useDesk();
  const body = useRef<HTMLTableSectionElement>(null);
  useEffect(() => {
    // Whoever comes back goes on where they were.
    const { value: id } = cameFrom;
    if (id !== undefined)
      body.current?.querySelector<HTMLElement>(`a[href="${pathOf({ at: 'workload', id })}"]`)?.focus();
  }, []);
  if (summaries.length === 0) return <Nothing filtered={filtered} />;
  return (
    <div class="fleet">
      <table {...tableRoles.table}>
        <thead {...tableRoles.group}>
          <tr {...tableRoles.row}>
            {columns.map((title) => (
              <th key={title} {...tableRoles.column} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...tableRoles.group} ref={body}>
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
