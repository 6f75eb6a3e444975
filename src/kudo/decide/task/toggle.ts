import { parseBool } from '../../parameters/parse-bool.ts';
import { valuesFor } from '../../parameters/values-for.ts';
import type { Place } from '../../render/place.ts';
import type { Task } from '../../resources/operator-version.ts';
import type { TaskFailure } from './work.ts';

/** Whether the parameter of a Toggle task is on, or why that cannot be said. */
export function switchedOn({ spec }: Task, place: Place): boolean | TaskFailure {
  const name = spec?.parameter ?? '';
  const fail = (message: string): TaskFailure => ({ reason: 'ToggleTaskError', message, fatal: true });
  const values = valuesFor(place.operatorVersion, place.parameters);
  if (!Object.hasOwn(values, name)) return fail(`no value for parameter ${name} found`);
  const value = values[name];
  const parsed = typeof value === 'string' ? parseBool(value) : { error: 'it is no text' };
  return 'value' in parsed ? parsed.value : fail(`could not parse value of parameter ${name}: ${parsed.error}`);
}
