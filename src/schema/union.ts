import { isDeepStrictEqual } from 'node:util';
import { DefinitionError } from './definition-error.ts';
import type { Field, Validation } from './field.ts';
import { enumeration } from './leaf.ts';

/** Everything a branch may say about a value of a scalar property. */
const validations = [
  'enum',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
] as const;

/**
 * A choice between several shapes. A structural schema has one type and one set of properties, so
 * - values of one type become an enumeration;
 * - integer or string becomes `x-kubernetes-int-or-string`, with the limits of both;
 * - objects become one object with all properties, and a junctor that holds only what tells the branches apart.
 *
 * Everything else is refused.
 */
export function union(branches: readonly Field[], junctor: 'anyOf' | 'oneOf', path: string): Field {
  if (branches.every((branch) => branch.enum))
    return enumeration(
      branches.flatMap(({ enum: values }) => values ?? []),
      path,
    );
  if (branches.every((branch) => branch.type === 'object')) return objects(branches, junctor, path);
  const [integer, string] = [...branches].sort((a, b) => (a.type ?? '').localeCompare(b.type ?? ''));
  if (
    branches.length === 2 &&
    integer?.type === 'integer' &&
    string?.type === 'string' &&
    !integer.enum &&
    !string.enum
  ) {
    return intOrString(integer, string);
  }
  const types = branches.map((branch) => branch.type ?? 'anything').join(', ');
  throw new DefinitionError(path, `a union of ${types} has no single type, and a structural schema needs one`);
}

function intOrString(integer: Field, string: Field): Field {
  return {
    ...pick(integer, validations),
    ...pick(string, validations),
    ...(string.allOf && { allOf: string.allOf }),
    anyOf: [{ type: 'integer' }, { type: 'string' }],
    'x-kubernetes-int-or-string': true,
  };
}

function objects(branches: readonly Field[], junctor: 'anyOf' | 'oneOf', path: string): Field {
  for (const branch of branches) {
    if (branch.additionalProperties) throw new DefinitionError(path, 'a union cannot have a map as a branch');
    if (branch['x-kubernetes-validations']) {
      throw new DefinitionError(path, 'a rule inside a branch of a union is not allowed; put it on the union');
    }
    if (branch.anyOf || branch.oneOf) throw new DefinitionError(path, 'a union of objects cannot be nested in another');
  }
  const names = [...new Set(branches.flatMap((branch) => Object.keys(branch.properties ?? {})))];
  const loose = branches.some((branch) => branch['x-kubernetes-preserve-unknown-fields']);
  const required = names.filter((name) => branches.every((branch) => branch.required?.includes(name)));
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, hoisted(name, branches, `${path}.${name}`)])),
    ...(required.length > 0 && { required }),
    ...(loose && { 'x-kubernetes-preserve-unknown-fields': true }),
    [junctor]: branches.map(({ properties = {}, required: own }) => {
      const differing = names
        .filter((name) => properties[name] && !sameInAll(name, branches))
        .map((name): [string, Validation] => [name, pick(properties[name], validations)]);
      return {
        ...(differing.length > 0 && { properties: Object.fromEntries(differing) }),
        ...(own && { required: own }),
      };
    }),
  };
}

/** One property as the whole union shows it: what all branches that have it agree on. */
function hoisted(name: string, branches: readonly Field[], path: string): Field {
  const fields = branches.flatMap(({ properties }) => properties?.[name] ?? []);
  const [first] = fields;
  if (!first) throw new DefinitionError(path, 'belongs to no branch');
  if (
    fields.some((field) => field.default !== undefined) &&
    !(fields.length === branches.length && sameInAll(name, branches))
  ) {
    throw new DefinitionError(path, 'the API server would apply this default in every branch of the union');
  }
  if (sameInAll(name, branches)) return first;
  const alike = fields.every((field) => isDeepStrictEqual(shared(field), shared(first)));
  if (!alike || first.type === 'object' || first.type === 'array' || first.allOf || first.anyOf) {
    throw new DefinitionError(path, 'branches of the union give this property different types; give it another name');
  }
  const values = [...new Set(fields.flatMap((field) => field.enum ?? []))];
  return {
    ...shared(first),
    ...(first.description && { description: first.description }),
    ...(fields.every((field) => field.enum) && { enum: values }),
  };
}

function sameInAll(name: string, branches: readonly Field[]): boolean {
  const fields = branches.flatMap(({ properties }) => properties?.[name] ?? []);
  return fields.every((field) => isDeepStrictEqual(field, fields[0]));
}

/** What must be equal for a property to be one: all but limits, which move into the branches, and words. */
function shared(field: Field): Field {
  const omitted = new Set<string>([...validations, 'description', 'title']);
  return Object.fromEntries(Object.entries(field).filter(([key]) => !omitted.has(key)));
}

function pick(field: Field | undefined, keys: readonly (keyof Validation)[]): Validation {
  return Object.fromEntries(Object.entries(field ?? {}).filter(([key]) => (keys as readonly string[]).includes(key)));
}
