import { FunctionFailure, type GoFunction } from '../../function.ts';
import { define, defineVariadic } from './define.ts';
import { isEmpty } from './empty.ts';

export const FLOW: Readonly<Record<string, GoFunction>> = {
  coalesce: defineVariadic([], 'interface {}', (_, values) => values.find((value) => !isEmpty(value)) ?? null),
  default: defineVariadic(['interface {}'], 'interface {}', ([otherwise], [value = null]) =>
    isEmpty(value) ? otherwise : value,
  ),
  empty: define(['interface {}'], ([value]) => isEmpty(value)),
  fail: define(['string'], ([message]) => {
    throw new FunctionFailure(message);
  }),
  ternary: define(['interface {}', 'interface {}', 'bool'], ([yes, no, which]) => (which ? yes : no)),
};
