import type { Plan } from '../../../portrait/plan.ts';
import type { Execution, InstanceStatus } from '../../resources/instance.ts';
import { counted, instantOf, spanText } from '../wording.ts';

/** How long runs of the same plan took that came to a good end; those that restarted pods, or did not, like this one. */
export function estimateOf(
  { history = [] }: InstanceStatus,
  { plan, restartUID }: Pick<Execution, 'plan' | 'restartUID'>,
): Plan['estimate'] {
  const runs = history.flatMap((past) => {
    const [from, to] = [instantOf(past.startedAt), instantOf(past.endedAt)];
    const fits =
      past.plan === plan && past.outcome === 'COMPLETE' && from !== undefined && to !== undefined && to >= from;
    return fits ? [{ ms: to - from, alike: (past.restartUID === undefined) === (restartUID === undefined) }] : [];
  });
  const alike = runs.filter((run) => run.alike);
  const counting = alike.length > 0 ? alike : runs;
  if (counting.length === 0) return undefined;
  const ms = Math.round(counting.reduce((sum, run) => sum + run.ms, 0) / counting.length);
  const kind = alike.length === 0 ? '' : restartUID === undefined ? ' without a restart' : ' with a restart';
  const runsText = counting.length === 1 ? 'the last run' : `the last ${counted(counting.length, 'run')}`;
  const average = counting.length === 1 ? '' : ' on average';
  return { ms, basis: `${runsText} of plan ${plan}${kind} took ${spanText(ms)}${average}` };
}
