import type { OperatorVersion, Parameter } from '../resources/operator-version.ts';

/** The parameters of a version by name, in its order. Of two with one name the first counts, and what has none is none. */
export function definitionsOf(version: OperatorVersion): ReadonlyMap<string, Parameter> {
  const all = new Map<string, Parameter>();
  const listed: readonly Parameter[] | null | undefined = version.spec?.parameters;
  for (const parameter of Array.isArray(listed) ? listed : []) {
    const name: unknown = parameter?.name;
    if (typeof name === 'string' && !all.has(name)) all.set(name, parameter);
  }
  return all;
}

/** The values of an Instance by name. Whatever is not a text is none: an older definition may have let it through. */
export function valuesOf(parameters: unknown): ReadonlyMap<string, string> {
  const isObject = typeof parameters === 'object' && parameters !== null && !Array.isArray(parameters);
  const entries = Object.entries(isObject ? parameters : {});
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

export function defaultOf({ default: value }: Parameter): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
