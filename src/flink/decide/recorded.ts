import { isObject, member } from '../../change/equal.ts';

/** The job state that a recorded spec says, without reading all of it; `undefined` when there is no job. */
export function recordedJobState(text: string | undefined): 'running' | 'suspended' | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const spec = isObject(value) ? member(value, 'spec') : undefined;
    const job = isObject(spec) ? member(spec, 'job') : undefined;
    if (!isObject(job)) return undefined;
    return member(job, 'state') === 'suspended' ? 'suspended' : 'running';
  } catch {
    return undefined;
  }
}
