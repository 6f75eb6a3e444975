import type { Instant } from '../../clock/clock.ts';
import { operatorOptions } from '../config/operator-options.ts';
import { read } from '../config/option.ts';
import type { JobException } from '../rest.ts';
import { instantText } from './instant-text.ts';
import type { JobCase } from './job-case.ts';
import { warned } from './reasons.ts';
import type { Status } from './status.ts';
import type { Effect } from './step.ts';

/**
 * Exceptions of the job that nobody was told of yet, the newest first. What was told is remembered in status by its time,
 * so that neither a restart of the operator nor a second look tells it again.
 */
export function exceptionEvents(
  c: JobCase,
  status: Status,
): { readonly events: readonly Effect[]; readonly until: Instant } | undefined {
  const told = status.lastExceptionAt ?? Number.NEGATIVE_INFINITY;
  const fresh = (c.rest.job.exceptions?.value ?? []).filter(({ at }) => at > told).sort((a, b) => b.at - a.at);
  const [newest] = fresh;
  if (!newest) return undefined;
  const most = read(c.config, operatorOptions.exceptionLimit);
  const stackLines = read(c.config, operatorOptions.exceptionLines);
  const events = fresh.slice(0, most).map((one) => warned(c.resource, 'JobException', noteOf(one, stackLines)));
  return { events, until: newest.at };
}

function noteOf(exception: JobException, stackLines: number): string {
  const { name, stack, at, task, endpoint, taskManager } = exception;
  const lines = stack.split('\n').slice(0, stackLines).join('\n');
  const where = [task && `task ${task}`, endpoint && `at ${endpoint}`, taskManager && `on ${taskManager}`];
  const place = where.filter(Boolean).join(' ');
  return `${name}${place && ` in ${place}`} (${instantText(at)})\n${lines}`.trim();
}
