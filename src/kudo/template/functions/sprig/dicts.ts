import { sortedKeys, workOfSorting } from '../../format/bytes.ts';
import { text } from '../../format/sprint.ts';
import { FunctionFailure, type GoFunction, type Room } from '../../function.ts';
import { GoList, type GoMap, GoStringMap, type GoValue } from '../../value.ts';
import { define, defineVariadic, NilMap } from './define.ts';
import { mergeInto } from './merge.ts';
import { chargeItems, strings } from './slices.ts';
import { weigh } from './weigh.ts';

/**
 * Dicts are changed in place by `set`, `unset`, `merge` and `mergeOverwrite`, as in Go. `keys` and `values` are in the
 * order of the keys: Go's order is another one at each call, which would render other objects each time.
 */
export const DICTS: Readonly<Record<string, GoFunction>> = {
  deepCopy: define(['interface {}'], ([value], room) => {
    if (value === null) throw new FunctionFailure('reflect: call of reflect.Value.Type on zero Value');
    weigh(value, room);
    return copied(value);
  }),
  dict: defineVariadic([], 'interface {}', (_, values, room) => dict(values, room)),
  hasKey: define(['map[string]interface {}', 'string'], ([map, key]) => map.has(key)),
  keys: defineVariadic([], 'map[string]interface {}', (_, maps, room) => {
    chargeItems(
      maps.reduce((sum, map) => sum + map.size, 0),
      room,
    );
    for (const map of maps) room.work(workOfSorting(map.keys()));
    return strings(maps.flatMap((map) => sortedKeys(map)));
  }),
  merge: merging({ overwrite: false }),
  mergeOverwrite: merging({ overwrite: true }),
  omit: defineVariadic(['map[string]interface {}'], 'string', ([map], keys, room) => {
    const unwanted = new Set(keys);
    return chosen(
      map,
      [...map.keys()].filter((key) => !unwanted.has(key)),
      room,
    );
  }),
  pick: defineVariadic(['map[string]interface {}'], 'string', ([map], keys, room) => chosen(map, keys, room)),
  pluck: defineVariadic(['string'], 'map[string]interface {}', ([key], maps) =>
    maps.map((map) => map.get(key)).filter((value) => value !== undefined),
  ),
  set: define(['map[string]interface {}', 'string', 'interface {}'], ([map, key, value], room) => {
    chargeItems(1, room);
    return map.set(key, value);
  }),
  unset: define(['map[string]interface {}', 'string'], ([map, key]) => {
    map.delete(key);
    return map;
  }),
  values: define(['map[string]interface {}'], ([map], room) => {
    chargeItems(map.size, room);
    room.work(workOfSorting(map.keys()));
    return sortedKeys(map).map((key) => map.get(key) as GoValue);
  }),
};

/** Keys and values in turn; a key without a value has an empty one. */
function dict(values: readonly GoValue[], room: Room): GoMap {
  chargeItems(values.length, room);
  const map: GoMap = new Map();
  for (let i = 0; i < values.length; i += 2) {
    map.set(text(values[i] as GoValue, room), i + 1 < values.length ? (values[i + 1] as GoValue) : '');
  }
  return map;
}

/** What cannot be merged gives an empty string, and what was merged until then stays merged. */
function merging(how: { readonly overwrite: boolean }): GoFunction {
  return defineVariadic(['map[string]interface {}'], 'map[string]interface {}', ([map], sources, room) => {
    const isNil = map instanceof NilMap && sources.every((source) => source instanceof NilMap);
    const into = map instanceof NilMap && !isNil ? new Map() : map;
    return sources.every((source) => mergeInto(into, source, how, room)) ? into : '';
  });
}

function chosen(map: GoMap, keys: readonly string[], room: Room): GoMap {
  chargeItems(keys.length, room);
  return new Map(keys.filter((key) => map.has(key)).map((key) => [key, map.get(key) as GoValue]));
}

function copied(value: GoValue): GoValue {
  if (value instanceof GoStringMap) return new GoStringMap(value);
  if (value instanceof Map) return new Map([...value].map(([key, item]) => [key, copied(item)]));
  if (value instanceof GoList) return new GoList(value.type, value.items);
  return Array.isArray(value) ? (value as readonly GoValue[]).map(copied) : value;
}
