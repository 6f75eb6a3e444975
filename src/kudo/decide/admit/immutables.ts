import { isSecretParameter } from '../../graph/secret-parameters.ts';
import type { Values } from '../../parameters/changed-parameters.ts';
import { defaultOf, definitionsOf } from '../../parameters/definitions.ts';
import type { OperatorVersion } from '../../resources/operator-version.ts';
import { type Refused, refusal } from './refusal.ts';

/** Values with the defaults of immutable parameters that have none: a later version with another default changes nothing. */
export function withImmutableDefaults(
  given: ReadonlyMap<string, string>,
  version: OperatorVersion,
): ReadonlyMap<string, string> {
  const values = new Map(given);
  for (const parameter of definitionsOf(version).values()) {
    const fallback = defaultOf(parameter);
    if (parameter.immutable && fallback !== undefined && !values.has(parameter.name)) {
      values.set(parameter.name, fallback);
    }
  }
  return values;
}

/**
 * The new values, with those immutable ones put back that are gone and were only a copied default. Whoever wrote the spec
 * may never have seen them: it was made by a program that replaces what it does not know, or the copy has not arrived yet.
 */
export function withKeptDefaults({ before, after, versions }: Values): ReadonlyMap<string, string> {
  const [wereThere, areThere] = [definitionsOf(versions.before), definitionsOf(versions.after)];
  const kept = [...before].filter(([name, value]) => {
    const was = wereThere.get(name);
    return !after.has(name) && was?.immutable && areThere.get(name)?.immutable && defaultOf(was) === value;
  });
  return kept.length === 0 ? after : new Map([...after, ...kept]);
}

/** Without an upgrade an immutable value cannot become another. */
export function changedImmutable(instance: string, values: Values): Refused | undefined {
  return otherImmutable(instance, values, [...values.after.keys()]);
}

/** Nor can it be removed. KUDO lets it, which changes it to the default. */
export function removedImmutable(instance: string, values: Values): Refused | undefined {
  return otherImmutable(
    instance,
    values,
    [...values.before.keys()].filter((name) => !values.after.has(name)),
  );
}

function otherImmutable(instance: string, values: Values, names: readonly string[]): Refused | undefined {
  const { before, after, versions } = values;
  const definitions = definitionsOf(versions.after);
  const [parameter] = names.filter((n) => definitions.get(n)?.immutable && before.get(n) !== after.get(n)).sort();
  if (parameter === undefined) return undefined;
  const secret = [versions.before, versions.after].some((version) => isSecretParameter(version, parameter));
  const [from = '', to = ''] = [before, after].map((given) => told(given.get(parameter), secret));
  return refusal('ImmutableParameter', { instance, parameter, from, to });
}

/** Whether there is a value is no secret. */
function told(value: string | undefined, secret: boolean): string | undefined {
  return value && secret ? '(secret)' : value;
}

/** An upgrade needs an explicit value for whatever it makes immutable. */
export function unsetImmutable(instance: string, { after, versions }: Values): Refused | undefined {
  const [wereThere, areThere] = [definitionsOf(versions.before), definitionsOf(versions.after)];
  const version = versions.after.metadata.name ?? '';
  for (const [parameter, was] of wereThere) {
    const becomes = areThere.get(parameter)?.immutable === true && was.immutable !== true;
    if (becomes && !after.has(parameter)) return refusal('BecameImmutable', { instance, parameter, version });
  }
  for (const [parameter, definition] of areThere) {
    if (wereThere.has(parameter) || !definition.immutable || after.has(parameter)) continue;
    const fallback = defaultOf(definition);
    const shown = told(fallback, isSecretParameter(versions.after, parameter));
    const words = { default: shown === undefined ? '' : ` (default would be ${shown})` };
    return refusal('AddedImmutable', { instance, parameter, version, ...words });
  }
  return undefined;
}
