import type { PastChange } from '../../portrait/portrait.ts';
import type { PastExecution } from '../resources/instance.ts';
import { becauseOf } from './because.ts';
import type { Read } from './instance-in.ts';
import { brief, names, timeIn } from './wording.ts';

/** The last executions, the newest first. */
export function pastChanges({ status }: Read): readonly PastChange[] {
  return (status.history ?? []).map((past): PastChange => {
    const { uid, plan, outcome } = past;
    const [startedAt, endedAt] = [timeIn(past.startedAt), timeIn(past.endedAt)];
    const info = infoOf(past);
    return {
      id: uid,
      what: `plan ${plan}`,
      because: becauseOf(past),
      outcome,
      good: outcome === 'COMPLETE',
      ...(startedAt !== undefined && { startedAt }),
      ...(endedAt !== undefined && { endedAt }),
      steps: [],
      ...(info !== '' && { info }),
    };
  });
}

function infoOf({ cause, restarts = [], restartUID, message }: PastExecution): string {
  const rolled = restarts.map(({ kind, name }) => `${kind} ${name}`);
  const pods =
    rolled.length > 0
      ? [`restarted pods of ${names(rolled)}`]
      : restartUID === undefined && cause !== 'cleanup'
        ? ['restarted no pods']
        : [];
  return [...pods, ...(message ? [brief(message)] : [])].join('; ');
}
