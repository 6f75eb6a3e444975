/** An object without its undefined fields: absent and undefined are two things for types, and one for JSON. */
export function present<T extends object>(
  value: T,
): { [key in keyof T as undefined extends T[key] ? never : key]: T[key] } & {
  [key in keyof T as undefined extends T[key] ? key : never]?: Exclude<T[key], undefined>;
} {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as never;
}
