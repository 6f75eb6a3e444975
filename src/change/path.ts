import { line } from './show.ts';

/** The path of a key below `path`: `.replicas`, or in brackets when the key is not a plain name, as Kubernetes writes it. */
export function under(path: string, key: string): string {
  if (/^[A-Za-z_$][\w$-]*$/.test(key)) return path === '' ? key : `${path}.${key}`;
  return `${path}[${bracketed(key)}]`;
}

/** The path of a list's element that is known by its keys: `rooms[name=kitchen]`. */
export function element(path: string, keys: readonly (readonly [key: string, value: string])[]): string {
  return `${path}[${keys.map(([key, value]) => `${key}=${bracketed(value)}`).join(',')}]`;
}

/** Keys come from users: what could be mistaken for another path, or break a line, is quoted. */
function bracketed(text: string): string {
  return /^[\p{L}\p{N}./:@_*-]+$/u.test(text) ? text : line(JSON.stringify(text));
}
