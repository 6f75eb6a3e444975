import type { Json, JsonObject } from '../kube/object.ts';

/** Values over others: maps are merged, everything else is replaced. A key is only a key, also when it is `__proto__`. */
export function layerValues(under: JsonObject, over: JsonObject): JsonObject {
  return merged(under, over, false);
}

/** Values over the defaults of a chart, as Helm lays them: as above, and a null takes the default away. */
export function mergeValues(defaults: JsonObject, over: JsonObject): JsonObject {
  return merged(defaults, over, true);
}

function merged(under: JsonObject, over: JsonObject, nullTakesAway: boolean): JsonObject {
  const found = new Map<string, Json>(Object.entries(under));
  for (const [key, value] of Object.entries(over)) {
    const before = found.get(key);
    if (value === null && nullTakesAway) found.delete(key);
    else found.set(key, isMap(value) ? merged(isMap(before) ? before : {}, value, nullTakesAway) : value);
  }
  return Object.fromEntries(found);
}

export function isMap(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
