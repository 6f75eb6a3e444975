import { sprint, sprintln } from '../format/sprint.ts';
import { sprintf } from '../format/sprintf.ts';
import { FunctionFailure, type FunctionTable, type GoFunction } from '../function.ts';
import { open } from '../held.ts';
import { isTrue } from '../truth.ts';
import { typeOf } from '../type.ts';
import type { Builtin, Deciding } from './builtin.ts';
import { COMPARISONS } from './compare.ts';
import { ELEMENTS } from './elements.ts';
import { ESCAPERS } from './escape.ts';

const PRINTERS: FunctionTable = new Map<string, GoFunction>([
  ['print', { params: [], variadic: 'interface {}', call: (args, room) => sprint(args, room) }],
  ['println', { params: [], variadic: 'interface {}', call: (args, room) => sprintln(args, room) }],
  [
    'printf',
    {
      params: ['string'],
      variadic: 'interface {}',
      call: ([format, ...args], room) => sprintf(String(format), args, room),
    },
  ],
]);

const NOT: Builtin = { least: 1, isVariadic: false, call: ([value]) => !isTrue(value) };

/** There are no functions among the values, so there is nothing to call. */
const CALL: Builtin = {
  least: 1,
  isVariadic: true,
  call([value], _room, first) {
    const found = open(value);
    if (found === undefined) throw new FunctionFailure('call of nil');
    throw new FunctionFailure(`non-function ${first()} of type ${typeOf(found)}`);
  },
};

export type Callee = GoFunction | Builtin | Deciding;

/** Go's own functions. A function of the same name that somebody adds hides one of these. */
export const BUILTINS: ReadonlyMap<string, Callee> = new Map<string, Callee>([
  ...PRINTERS,
  ...ESCAPERS,
  ...ELEMENTS,
  ...COMPARISONS,
  ['and', { decides: false }],
  ['or', { decides: true }],
  ['not', NOT],
  ['call', CALL],
]);
