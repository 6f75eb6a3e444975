import { isObject, member } from '../../change/equal.ts';

/** The job state that a recorded spec says, without reading all of it; `undefined` when there is no job. */
export function recordedJobState(text: string | undefined): 'running' | 'suspended' | undefined {
  const spec = recordedSpec(text);
  const job = spec && member(spec, 'job');
  if (!isObject(job)) return undefined;
  return member(job, 'state') === 'suspended' ? 'suspended' : 'running';
}

/** Whether what is deployed is a session cluster. Then it stays one, whatever the spec says now. */
export function isRecordedSession(text: string | undefined): boolean {
  const spec = recordedSpec(text);
  return spec !== undefined && !isObject(member(spec, 'job'));
}

function recordedSpec(text: string | undefined): Readonly<Record<string, unknown>> | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const spec = isObject(value) ? member(value, 'spec') : undefined;
    return isObject(spec) ? spec : undefined;
  } catch {
    return undefined;
  }
}
