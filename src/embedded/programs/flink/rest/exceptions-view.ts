import type { JobFailure } from '../job-failure.ts';
import { stackTrace } from '../throwable.ts';

/** `/jobs/:jobid/exceptions`, newest first. Releases before 2.0 also have the root exception beside the history. */
export function exceptionsView(
  failures: readonly JobFailure[],
  hasFailed: boolean,
  version: string,
  most: number,
): Readonly<Record<string, unknown>> {
  const isOld = version.startsWith('1.');
  const shown = failures.slice(0, Number.isInteger(most) && most > 0 ? most : 20);
  const history = {
    entries: shown.map((failure) => ({
      ...entry(failure, isOld),
      concurrentExceptions: failure.concurrent.map((one) => entry(one, isOld)),
    })),
    truncated: shown.length < failures.length,
  };
  if (!isOld) return { exceptionHistory: history };
  const [last] = failures;
  const all = hasFailed ? (last?.concurrent ?? []) : [];
  return {
    'root-exception': last ? stackTrace(last.throwable) : null,
    timestamp: last ? (last.concurrent[0]?.at ?? last.at) : null,
    'all-exceptions': all.map((one) => ({
      exception: stackTrace(one.throwable),
      task: one.task?.replace(/ - execution #\d+$/, '') ?? '',
      location: endpointOf(one),
      endpoint: endpointOf(one),
      timestamp: one.at,
      taskManagerId: one.worker?.id ?? '(unassigned)',
    })),
    truncated: false,
    exceptionHistory: history,
  };
}

const endpointOf = ({ worker }: JobFailure): string => (worker ? `${worker.address}:37775` : '(unassigned)');

function entry(failure: JobFailure, isOld: boolean): Readonly<Record<string, unknown>> {
  const { throwable, at, task, worker } = failure;
  return {
    exceptionName: throwable.type,
    stacktrace: stackTrace(throwable),
    timestamp: at,
    failureLabels: {},
    ...(task !== undefined && {
      taskName: task,
      ...(isOld && { location: endpointOf(failure) }),
      endpoint: endpointOf(failure),
      taskManagerId: worker?.id ?? '(unassigned)',
    }),
  };
}
