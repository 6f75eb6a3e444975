import { booleanProblem, parseBool } from '../../parameters/go-bool.ts';
import { ParameterError, valuesFor } from '../../parameters/values-for.ts';
import type { Place } from '../../render/place.ts';
import type { Task } from '../../resources/operator-version.ts';
import type { TaskFailure } from './work.ts';

/** Whether the parameter of a Toggle task is on, or why that cannot be said. */
export function switchedOn({ spec }: Task, place: Place): boolean | TaskFailure {
  const name = spec?.parameter ?? '';
  const fail = (message: string): TaskFailure => ({ reason: 'ToggleTaskError', message, fatal: true });
  const values = seen(place);
  if (typeof values === 'string') return fail(values);
  if (!Object.hasOwn(values, name)) return fail(`no value for parameter ${name} found`);
  const value = values[name];
  const text = typeof value === 'string' ? value : '';
  return parseBool(text) ?? fail(`could not parse value of parameter ${name}: ${booleanProblem(text)}`);
}

function seen({ operatorVersion, parameters }: Place): ReturnType<typeof valuesFor> | string {
  try {
    return valuesFor(operatorVersion, parameters);
  } catch (error) {
    if (error instanceof ParameterError) return error.message;
    throw error;
  }
}
