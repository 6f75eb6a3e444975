import { harmless } from '../../../portrait/text/harmless.ts';
import { table } from '../../../portrait/text/table.ts';
import { tree } from '../../../portrait/text/tree.ts';
import type { Instance, PastExecution } from '../../resources/instance.ts';
import type { OperatorVersionSpec } from '../../resources/operator-version.ts';
import { shortTime } from './plan-tree.ts';

/** When each plan ran last, as KUDO shows it, and below the executions that are remembered, the newest first. */
export function planHistory(instance: Instance, spec: OperatorVersionSpec | undefined, plan?: string): string {
  const statuses = new Map(Object.entries(instance.status?.planStatus ?? {}));
  const names = [...new Set([...Object.keys(spec?.plans ?? {}), ...statuses.keys()])]
    .filter((name) => plan === undefined || name === plan)
    .sort();
  const branches = names.map((name) => {
    const { status = 'NEVER_RUN', lastUpdatedTimestamp } = statuses.get(name) ?? {};
    const running = instance.status?.execution?.plan === name;
    const ran = status !== 'NEVER_RUN' && lastUpdatedTimestamp;
    const when = running ? 'running since' : 'last finished run at';
    const time = (running ? instance.status?.execution?.startedAt : lastUpdatedTimestamp) ?? '';
    return { text: `${harmless(name)} (${ran ? `${when} ${shortTime(time)} (${harmless(status)})` : 'never run'})` };
  });
  const past = (instance.status?.history ?? []).filter((one) => plan === undefined || one.plan === plan);
  return `${tree('.', branches)}${past.length === 0 ? '' : executions(past)}`;
}

function executions(past: readonly PastExecution[]): string {
  const rows = past.map((one) => [
    shortTime(one.startedAt),
    tookOf(one),
    one.plan,
    one.outcome,
    causeOf(one),
    one.restartUID === undefined ? 'no' : one.forced ? 'yes' : 'yes (demanded earlier)',
    one.message ?? '',
  ]);
  return table(
    ['STARTED', 'TOOK', 'PLAN', 'OUTCOME', 'CAUSE', 'RESTART', 'MESSAGE'],
    rows.map((row) => row.map(harmless)),
  );
}

function causeOf({ cause, changed = [] }: PastExecution): string {
  return changed.length === 0 ? cause : `${cause}: ${changed.join(', ')}`;
}

/** `75s`, `12m`: short, and exact where it matters. */
function tookOf({ startedAt, endedAt }: PastExecution): string {
  const seconds = Math.round((Date.parse(endedAt) - Date.parse(startedAt)) / 1000);
  if (!Number.isFinite(seconds) || seconds < 0) return '?';
  return seconds < 120 ? `${seconds}s` : `${Math.round(seconds / 60)}m`;
}
