import { type Plan, risks } from '../../../portrait/plan.ts';

/** The worst of all: 1 refused, then 4 downtime or loss of state, 3 restart, 2 quiet, 0 nothing. */
export function exitCodeOf(plans: readonly Pick<Plan, 'risk' | 'problems'>[]): number {
  if (plans.some(({ problems }) => problems.length > 0)) return 1;
  const worst = Math.max(0, ...plans.map(({ risk }) => risks.indexOf(risk)));
  return worst === 0 ? 0 : worst + 1;
}
