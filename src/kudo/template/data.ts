import type { Held } from './held.ts';
import { LimitExceeded } from './limits.ts';
import { GoStringMap, type GoValue } from './value.ts';

/** What templates see: JSON, with numbers as float64. A key is only a key, also when it is `__proto__`. */
export type TemplateData =
  | null
  | string
  | boolean
  | number
  | readonly TemplateData[]
  | { readonly [key: string]: TemplateData }
  | ReadonlyMap<string, TemplateData>;

const DEEPEST = 200;

/** Data as values of its own, so that a template that changes a map changes only its own. */
export function held(data: TemplateData): Held {
  return converted(data, 0) ?? undefined;
}

function converted(data: TemplateData, depth: number): GoValue {
  if (typeof data !== 'object' || data === null) return data;
  if (depth > DEEPEST) throw new LimitExceeded('depth', DEEPEST);
  if (Array.isArray(data)) return data.map((item: TemplateData) => converted(item, depth + 1));
  if (data instanceof GoStringMap) return new GoStringMap(data);
  const map = new Map<string, GoValue>();
  if (data instanceof Map) {
    for (const [key, value] of data) map.set(key, converted(value, depth + 1));
    return map;
  }
  const object = data as { readonly [key: string]: TemplateData | undefined };
  for (const key of Object.keys(object)) {
    const value = object[key];
    if (value !== undefined) map.set(key, converted(value, depth + 1));
  }
  return map;
}
