import { useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { filterOf, passes } from '../../model/filter.ts';
import { byNeed } from '../../model/order.ts';
import { useDesk } from '../desk.ts';
import { FilterBar } from './filter-bar.tsx';
import { FleetTable } from './fleet-table.tsx';

/** Every workload that the person may see, those that need somebody first. */
export function FleetScreen(): JSX.Element {
  const desk = useDesk();
  useEffect(() => {
    document.title = 'Fleet · Cutover';
  }, []);
  const filter = useComputed(() => filterOf(desk.route.value.at === 'fleet' ? desk.route.value.query : ''));
  const shown = useComputed(() => desk.listed.value.filter((one) => passes(one, filter.value)).sort(byNeed));
  const all = desk.listed.value;
  return (
    <>
      <div class="fleet-head">
        <h1 tabIndex={-1}>Fleet</h1>
        <p class="quiet" aria-live="polite">
          {desk.told.value.fleet === undefined
            ? 'Looking…'
            : shown.value.length === all.length
              ? `${all.length.toLocaleString('en')} workload${all.length === 1 ? '' : 's'}`
              : `${shown.value.length.toLocaleString('en')} of ${all.length.toLocaleString('en')} workloads`}
        </p>
      </div>
      <FilterBar filter={filter.value} first={shown.value[0]} />
      {desk.told.value.fleet && <FleetTable summaries={shown.value} filtered={all.length > 0} />}
    </>
  );
}
