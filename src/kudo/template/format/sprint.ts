import type { Room } from '../function.ts';
import { GoInt, type GoValue } from '../value.ts';
import { PLAIN } from './directive.ts';
import { Printer } from './printer.ts';

/** A value as Go's `%v` prints it. */
export function text(value: GoValue, room: Pick<Room, 'charge'>): string {
  if (typeof value === 'string') return value;
  if (value instanceof GoInt) return value.value.toString();
  return new Printer(room).print(value, 'v', PLAIN);
}

/** `print`: a space only between two values of which neither is a string. */
export function sprint(values: readonly GoValue[], room: Pick<Room, 'charge'>): string {
  const printer = new Printer(room);
  let out = '';
  let isAfterString = true;
  for (const value of values) {
    const isString = typeof value === 'string';
    if (!isString && !isAfterString) out += ' ';
    out += printer.print(value, 'v', PLAIN);
    isAfterString = isString;
  }
  return out;
}

/** `println`: a space between all values, and a line break. */
export function sprintln(values: readonly GoValue[], room: Pick<Room, 'charge'>): string {
  const printer = new Printer(room);
  return `${values.map((value) => printer.print(value, 'v', PLAIN)).join(' ')}\n`;
}
