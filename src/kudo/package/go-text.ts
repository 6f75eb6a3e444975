import { sprintf } from '../template/format/sprintf.ts';
import type { GoValue } from '../template/value.ts';
import type { Plain } from './yaml/node.ts';

/**
 * Go's `fmt.Sprintf` for the few messages of KUDO that print a value as Go prints it: `%v`, `%s`, `%q`. A number in a value
 * is a float64 there, which is why an unquoted 42 is `%!s(float64=42)`.
 */
export function goText(format: string, ...values: readonly Plain[]): string {
  return sprintf(format, values as readonly GoValue[], { charge: () => undefined });
}
