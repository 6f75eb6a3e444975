import type { AnyObject } from '../../kube/object.ts';

/**
 * The object without the fields that a server-side apply was refused for: those that the server's schema does not declare.
 * `undefined` if the message is about something else, or names nothing that is there.
 *
 * The server says `.spec.template.spec.containers[name="main"].foo: field not declared in schema`, one per line if there are
 * several.
 */
export function withoutUndeclared(
  object: AnyObject,
  message: string,
): { readonly object: AnyObject; readonly fields: readonly string[] } | undefined {
  const fields = [...message.matchAll(undeclared)].map(([, path = '']) => path);
  const copy = structuredClone(object);
  const removed = fields.filter((path) => remove(copy, segmentsOf(path)));
  return removed.length > 0 ? { object: copy, fields: removed } : undefined;
}

const undeclared = /(\.[^\s:]+(?:\[[^\]]*\][^\s:]*)*): field not declared in schema/g;

type Segment = string | { readonly key: Readonly<Record<string, string>> } | { readonly index: number };

/** `.a.b[name="x"].c` and `.a[0]` in parts. */
function segmentsOf(path: string): readonly Segment[] {
  return [...path.matchAll(/\.([^.[\]]+)|\[([^\]]*)\]/g)].map(([, name, within]): Segment => {
    if (name !== undefined) return name;
    const pairs = [...(within ?? '').matchAll(/(\w+)="?([^",]*)"?/g)].filter(([whole]) => whole.includes('='));
    if (pairs.length === 0) return { index: Number(within) };
    return { key: Object.fromEntries(pairs.map(([, key = '', value = '']) => [key, value])) };
  });
}

/** Whether there was something to remove. */
function remove(from: unknown, [segment, ...rest]: readonly Segment[]): boolean {
  if (segment === undefined || typeof from !== 'object' || from === null) return false;
  if (typeof segment !== 'string') {
    if (!Array.isArray(from)) return false;
    const found = 'index' in segment ? from[segment.index] : from.find((item) => matches(item, segment.key));
    return remove(found, rest);
  }
  if (!Object.hasOwn(from, segment)) return false;
  if (rest.length > 0) return remove(Reflect.get(from, segment), rest);
  return Reflect.deleteProperty(from, segment);
}

/** A part of the key that the item does not have is one that the server fills in: the protocol of a port. */
function matches(item: unknown, key: Readonly<Record<string, string>>): boolean {
  if (typeof item !== 'object' || item === null) return false;
  return Object.entries(key).every(([name, value]) => String(Reflect.get(item, name) ?? value) === value);
}
