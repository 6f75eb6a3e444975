import { useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import { subjectId } from '../../../portrait/subject.ts';
import { phases, type Summary } from '../../../portrait/summary.ts';
import { harmless } from '../../../portrait/text/harmless.ts';
import { countsOf, type Filter, passes, queryOf } from '../../model/filter.ts';
import { useDesk } from '../desk.ts';
import { familyName } from '../parts/family-name.ts';
import { Icon } from '../parts/icon.tsx';
import { lookOf } from '../parts/phase-look.ts';
import { Chip } from './chip.tsx';
import { Choice } from './choice.tsx';

export interface FilterBarProps {
  readonly filter: Filter;
  /** The first of those that are shown, which Enter in the search opens. */
  readonly first: Summary | undefined;
}

/** Search and filters. What is set is in the address, so it outlives a reload and can be sent to somebody. */
export function FilterBar({ filter, first }: FilterBarProps): JSX.Element {
  const desk = useDesk();
  const families = useComputed(() => [...new Set(desk.listed.value.map((one) => one.subject.family))].sort());
  const namespaces = useComputed(() => [...new Set(desk.listed.value.map((one) => one.subject.namespace))].sort());
  const set = (change: Partial<Filter>): void =>
    desk.go({ at: 'fleet', query: queryOf({ ...filter, ...change }) }, 'replace');
  const { text, family, namespace } = filter;
  const counts = countsOf(desk.listed.value.filter((one) => passes(one, { text, family, namespace, phases: [] })));
  const only =
    (which: Filter['only']): (() => void) =>
    () =>
      set({ only: filter.only === which ? undefined : which });
  const narrowed = queryOf(filter) !== '';
  return (
    <search class="filters">
      <div class="filter-line">
        <div class="search">
          <Icon name="search" />
          <input
            type="search"
            id="search"
            aria-label="Search workloads"
            aria-keyshortcuts="/"
            placeholder="Search name, namespace, state…"
            value={text}
            onInput={(event) => set({ text: event.currentTarget.value })}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && first) desk.go({ at: 'workload', id: subjectId(first.subject) });
              if (event.key === 'ArrowDown') document.querySelector<HTMLElement>('.fleet a.name')?.focus();
            }}
          />
          <span class="key" aria-hidden="true">
            /
          </span>
        </div>
        <div class="chips">
          <Chip icon="hand" tone="ask" pressed={filter.only === 'needs'} count={counts.needs} onPress={only('needs')}>
            Needs you
          </Chip>
          <Chip
            icon="turn"
            tone="move"
            pressed={filter.only === 'transition'}
            count={counts.transition}
            onPress={only('transition')}
          >
            In transition
          </Chip>
        </div>
        <div class="choices">
          <Choice
            name="Family"
            all="All families"
            of={families.value}
            chosen={family}
            label={familyName}
            onChoose={(to) => set({ family: to })}
          />
          <Choice
            name="Namespace"
            all="All namespaces"
            of={namespaces.value}
            chosen={namespace}
            label={harmless}
            onChoose={(to) => set({ namespace: to })}
          />
        </div>
      </div>
      <div class="filter-line">
        <div class="chips">
          {phases
            .filter((phase) => counts.phases[phase] > 0 || filter.phases.includes(phase))
            .map((phase) => {
              const { icon, tone, word } = lookOf(phase);
              const pressed = filter.phases.includes(phase);
              const others = filter.phases.filter((one) => one !== phase);
              return (
                <Chip
                  key={phase}
                  icon={icon}
                  tone={tone}
                  pressed={pressed}
                  count={counts.phases[phase]}
                  onPress={() => set({ phases: pressed ? others : [...others, phase] })}
                >
                  {word}
                </Chip>
              );
            })}
        </div>
        {narrowed && (
          <button type="button" class="button plain" onClick={() => desk.go({ at: 'fleet', query: '' }, 'replace')}>
            Clear
          </button>
        )}
      </div>
    </search>
  );
}
