import { sprint } from '../../format/sprint.ts';
import { FunctionFailure, type GoFunction, type Room } from '../../function.ts';
import { GoList, type GoValue } from '../../value.ts';
import { atoi, parseInt64, toFloat64, toInt64 } from './coerce.ts';
import { define, defineVariadic, int, int64 } from './define.ts';
import { chargeItems } from './slices.ts';

const largest = extreme((a, b) => a > b);

/** Arithmetic of int64, which wraps around; whatever it is given is made an int64 first. */
export const MATH: Readonly<Record<string, GoFunction>> = {
  add: defineVariadic([], 'interface {}', (_, values) =>
    int64(values.reduce<bigint>((sum, v) => sum + toInt64(v), 0n)),
  ),
  add1: define(['interface {}'], ([value]) => int64(toInt64(value) + 1n)),
  atoi: define(['string'], ([text]) => int(atoi(text))),
  biggest: largest,
  ceil: define(['interface {}'], ([value]) => Math.ceil(toFloat64(value))),
  div: define(['interface {}', 'interface {}'], ([a, b]) => int64(toInt64(a) / divisor(b))),
  float64: define(['interface {}'], ([value]) => toFloat64(value)),
  floor: define(['interface {}'], ([value]) => Math.floor(toFloat64(value))),
  int: define(['interface {}'], ([value]) => int(toInt64(value))),
  int64: define(['interface {}'], ([value]) => int64(toInt64(value))),
  max: largest,
  min: extreme((a, b) => a < b),
  mod: define(['interface {}', 'interface {}'], ([a, b]) => int64(toInt64(a) % divisor(b))),
  mul: defineVariadic(['interface {}'], 'interface {}', ([first], more) =>
    int64(more.reduce<bigint>((product, v) => BigInt.asIntN(64, product * toInt64(v)), toInt64(first))),
  ),
  round: defineVariadic(['interface {}', 'int'], 'float64', ([value, places], [up = 0.5]) =>
    rounded(toFloat64(value), places, up),
  ),
  sub: define(['interface {}', 'interface {}'], ([a, b]) => int64(toInt64(a) - toInt64(b))),
  // The name says the result: the digits are read as octal, of a file mode for example.
  toDecimal: define(['interface {}'], ([value], room) => int64(parseInt64(sprint([value], room), 8) ?? 0n)),
  until: define(['int'], ([count], room) => steps(0, count, count < 0 ? -1 : 1, room)),
  untilStep: define(['int', 'int', 'int'], ([start, stop, step], room) => steps(start, stop, step, room)),
};

function extreme(wins: (a: bigint, b: bigint) => boolean): GoFunction {
  return defineVariadic(['interface {}'], 'interface {}', ([first], more) =>
    int64(more.map(toInt64).reduce((best, value) => (wins(value, best) ? value : best), toInt64(first))),
  );
}

function divisor(value: GoValue): bigint {
  const number = toInt64(value);
  if (number === 0n) throw new FunctionFailure('runtime error: integer divide by zero');
  return number;
}

/** To so many places; up from a rest of `up` on. The rest of a negative number is negative: those go down. */
function rounded(value: number, places: number, up: number): number {
  const scale = 10 ** places;
  const digits = scale * value;
  const rest = Number.isFinite(digits) ? digits - Math.trunc(digits) : Number.NaN;
  return (rest >= up ? Math.ceil(digits) : Math.floor(digits)) / scale;
}

/** From `start`, as long as `stop` is ahead; a step in the wrong direction, or none, leads nowhere. */
function steps(start: number, stop: number, step: number, room: Room): GoList {
  const count = Math.max(Math.ceil((stop - start) / step), 0);
  const items = Number.isFinite(count) ? count : 0;
  chargeItems(items, room);
  return new GoList(
    '[]int',
    Array.from({ length: items }, (_, index) => int(start + index * step)),
  );
}
