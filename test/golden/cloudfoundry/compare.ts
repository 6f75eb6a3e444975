import type { Json } from '../../../src/kube/object.ts';
import type { Placeholders } from './placeholders.ts';

/** Where an answer is not as recorded: `body.metadata.labels.team`. */
export interface Deviation {
  readonly where: string;
  readonly recorded: string;
  readonly actual: string;
}

type Node = { readonly [key: string]: Json };

/** All places where `actual` is not as `recorded`. Lists of resources are compared whatever their order. */
export function deviations(
  recorded: Json,
  actual: Json,
  placeholders: Placeholders,
  where: string,
): readonly Deviation[] {
  if (isNode(recorded) && isNode(actual)) {
    const keys = [...new Set([...Object.keys(recorded), ...Object.keys(actual)])].sort(guidFirst);
    return keys.flatMap((key) => {
      const at = `${where}.${key}`;
      if (!(key in recorded))
        return [{ where: at, recorded: '(absent)', actual: shown(actual[key] ?? null, placeholders) }];
      if (!(key in actual)) return [{ where: at, recorded: JSON.stringify(recorded[key]), actual: '(absent)' }];
      return deviations(recorded[key] ?? null, actual[key] ?? null, placeholders, at);
    });
  }
  if (Array.isArray(recorded) && Array.isArray(actual)) {
    const [a, b] = [sorted(recorded, (text) => text), sorted(actual, (text) => placeholders.hide(text))];
    if (a.length !== b.length) {
      return [
        { where: `${where}.length`, recorded: String(a.length), actual: `${b.length}: ${shown(actual, placeholders)}` },
      ];
    }
    return a.flatMap((one, at) => deviations(one, b[at] ?? null, placeholders, `${where}[]`));
  }
  if (typeof recorded === 'string' && typeof actual === 'string') {
    placeholders.learn(recorded, actual);
    const said = placeholders.hide(actual);
    return said === recorded ? [] : [{ where, recorded, actual: said }];
  }
  return JSON.stringify(recorded) === JSON.stringify(actual)
    ? []
    : [{ where, recorded: JSON.stringify(recorded), actual: shown(actual, placeholders) }];
}

/** Resources by their GUIDs; other lists as they are. */
function sorted(list: readonly Json[], say: (text: string) => string): readonly Json[] {
  const key = (one: Json): string => (isNode(one) && typeof one.guid === 'string' ? say(one.guid) : '');
  return list.toSorted((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
}

/** GUIDs are learned before what is made of them. */
function guidFirst(a: string, b: string): number {
  return Number(b === 'guid') - Number(a === 'guid');
}

function shown(value: Json, placeholders: Placeholders): string {
  return placeholders.hide(JSON.stringify(value)).slice(0, 300);
}

function isNode(value: Json): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
