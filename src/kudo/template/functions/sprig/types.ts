import type { GoFunction } from '../../function.ts';
import { kindOf, typeOf } from '../../type.ts';
import { deepEqual } from './deep-equal.ts';
import { define } from './define.ts';

export const TYPES: Readonly<Record<string, GoFunction>> = {
  deepEqual: define(['interface {}', 'interface {}'], ([a, b], room) => deepEqual(a, b, room)),
  kindIs: define(['string', 'interface {}'], ([kind, value]) => kindOf(value) === kind),
  kindOf: define(['interface {}'], ([value]) => kindOf(value)),
  typeIs: define(['string', 'interface {}'], ([type, value]) => typeOf(value) === type),
  // A pointer to the type counts as the type.
  typeIsLike: define(['string', 'interface {}'], ([type, value]) => [type, `*${type}`].includes(typeOf(value))),
  typeOf: define(['interface {}'], ([value]) => typeOf(value)),
};
