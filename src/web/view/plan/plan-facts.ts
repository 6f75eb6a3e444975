import type { Plan } from '../../../portrait/plan.ts';
import type { Fact } from '../../../portrait/portrait.ts';

/** What a plan says besides its steps, by what people ask about. */
export function planFacts(plan: Plan): readonly Fact[] {
  const restarts = plan.restarts.map(({ kind, name, pods, because }) => {
    const which = pods.length === 0 ? '' : ` (${pods.join(', ')})`;
    return { label: 'Restarts', value: `${kind}/${name}${which}: ${because}` };
  });
  const given = (label: string, value: string | undefined): readonly Fact[] =>
    value === undefined || value === '' ? [] : [{ label, value }];
  return [
    ...given('Waits for', plan.waitsFor),
    ...restarts,
    ...given('State', plan.state.sentence),
    ...given('Availability', plan.availability.sentence),
    ...given('Traffic', plan.traffic),
    ...given('Meanwhile needs', plan.extra),
    ...given('Undo', plan.undo.sentence),
  ];
}
