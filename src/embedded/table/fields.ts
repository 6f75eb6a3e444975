/** Reads untyped objects by path, with the zero value of what is asked for when it is missing or of another type. */

export type Node = Readonly<Record<string, unknown>>;

const none: Node = Object.freeze({});

/** The value at `path` (`spec.replicas`); names with dots in them cannot be reached. */
export function at(node: unknown, path: string): unknown {
  let value = node;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Node)[name];
  }
  return value;
}

export function text(node: unknown, path: string): string {
  const value = at(node, path);
  return typeof value === 'string' ? value : '';
}

export function count(node: unknown, path: string): number {
  const value = at(node, path);
  return typeof value === 'number' ? value : 0;
}

export function list(node: unknown, path: string): readonly unknown[] {
  const value = at(node, path);
  return Array.isArray(value) ? value : [];
}

export function record(node: unknown, path: string): Node {
  const value = at(node, path);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Node) : none;
}

/** Whether the condition of this type is true. */
export function isTrue(node: unknown, type: string): boolean {
  const condition = list(node, 'status.conditions').find((each) => text(each, 'type') === type);
  return text(condition, 'status') === 'True';
}
