import type { Pod } from '../../kinds/objects/pod.ts';
import { parseDuration } from '../duration.ts';
import { argumentsOf } from './counting.ts';

/** What shall go wrong in a Flink cluster. Absent: nothing. Times are milliseconds. */
export interface Failures {
  /** `fail`: every savepoint fails. `never`: none ends. `slow`: each takes `ms`. */
  readonly savepoints?: { readonly mode: 'fail' | 'never' | 'slow'; readonly ms?: number; readonly times?: number };
  /** `at-start`: fails before its tasks run. `after`: fails after they ran for `ms`. */
  readonly job?: { readonly mode: 'at-start' | 'after'; readonly ms?: number; readonly times?: number };
  readonly checkpoints?: { readonly mode: 'fail'; readonly times?: number };
  /** The JobManager takes so much longer to answer. */
  readonly start?: { readonly mode: 'slow'; readonly ms?: number };
  /** `hang`: no answer. `garbage`: not JSON. `cut`: half of it. `wrong-job-id`: of another job. */
  readonly rest?: { readonly mode: 'hang' | 'garbage' | 'cut' | 'wrong-job-id'; readonly times?: number };
  /** The JobManager's heap is exhausted `ms` after it leads. */
  readonly jobmanager?: { readonly mode: 'out-of-memory'; readonly ms?: number; readonly times?: number };
}

const prefix = 'embedded.cutover.dev/flink-';

const modes: Readonly<Record<keyof Failures, readonly string[]>> = {
  savepoints: ['fail', 'never', 'slow'],
  job: ['at-start', 'after'],
  checkpoints: ['fail'],
  start: ['slow'],
  rest: ['hang', 'garbage', 'cut', 'wrong-job-id'],
  jobmanager: ['out-of-memory'],
};

/**
 * The failures that a JobManager pod's annotations ask for: `embedded.cutover.dev/flink-WHAT: MODE [for=30s] [times=N]`,
 * where WHAT is a key of `Failures`. What is not understood is told by `complain` and ignored.
 */
export function failuresOf(pod: Pod, complain: (text: string) => void): Failures {
  const found: Record<string, unknown> = {};
  for (const [key, text] of Object.entries(pod.metadata.annotations ?? {})) {
    if (!key.startsWith(prefix)) continue;
    const what = key.slice(prefix.length);
    const failure = Object.hasOwn(modes, what) ? parse(modes[what as keyof Failures], text) : undefined;
    if (failure) found[what] = failure;
    else complain(`The annotation ${key}: ${text} is not understood and ignored.`);
  }
  return found as Failures;
}

function parse(known: readonly string[], text: string): object | undefined {
  const [mode = '', ...rest] = text.trim().split(/\s+/);
  const options = new Map(rest.map((part) => part.split('=', 2) as [string, string | undefined]));
  const ms = options.has('for') ? parseDuration(options.get('for') ?? '') : undefined;
  const times = options.has('times') ? Number(options.get('times')) : undefined;
  if (!known.includes(mode) || (options.has('for') && ms === undefined) || Number.isNaN(times)) return undefined;
  return { mode, ...(ms !== undefined && { ms }), ...(times !== undefined && { times }) };
}

/** The failures that a job's own arguments ask for: `--fail-at-start`, `--fail-after 10s`, `--fail-times 1`. */
export function failuresOfProgram(words: readonly string[]): Failures {
  const values = argumentsOf(words);
  const times = values.has('fail-times') ? { times: Number(values.get('fail-times')) } : {};
  if (values.has('fail-at-start')) return { job: { mode: 'at-start', ...times } };
  const ms = parseDuration(values.get('fail-after') ?? '');
  return ms === undefined ? {} : { job: { mode: 'after', ms, ...times } };
}
