import { DefinitionError } from './definition-error.ts';
import type { Field } from './field.ts';
import type { KindDefinition } from './kind.ts';

type Definition = Pick<
  KindDefinition<never, never>,
  'group' | 'version' | 'kind' | 'plural' | 'singular' | 'shortNames' | 'categories' | 'columns' | 'scale'
>;

const label = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** Names as the API server demands them of a CustomResourceDefinition. */
export function checkNames(definition: Definition): void {
  const { group, version, kind, plural, singular, shortNames = [], categories = [] } = definition;
  const refuse = (what: string, value: string): never => {
    throw new DefinitionError(kind, `${what} "${value}" is not a valid name`);
  };
  if (!group.includes('.') || !group.split('.').every((part) => /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(part)))
    refuse('group', group);
  if (!/^v[1-9]\d*((alpha|beta)[1-9]\d*)?$/.test(version)) refuse('version', version);
  if (!/^[A-Z][A-Za-z0-9]{0,62}$/.test(kind)) refuse('kind', kind);
  for (const [what, names] of Object.entries({
    plural: [plural],
    singular: singular ? [singular] : [],
    shortName: shortNames,
    category: categories,
  })) {
    for (const name of names) if (!label.test(name)) refuse(what, name);
  }
}

/** Columns and scale must point at fields that exist, with the type they promise. */
export function checkPaths(definition: Definition, root: Field): void {
  const { kind, columns = [], scale } = definition;
  for (const { name, path, type } of columns) {
    const field = at(root, path);
    if (field === 'unknown') continue;
    const expected = type === 'date' ? 'string' : type;
    if (field === undefined) throw new DefinitionError(kind, `column "${name}" shows ${path}, which is not a field`);
    if (field.type && field.type !== expected) {
      throw new DefinitionError(kind, `column "${name}" is of type ${type}, but ${path} is of type ${field.type}`);
    }
  }
  if (!scale) return;
  for (const [path, prefix, type] of [
    [scale.spec, '.spec.', 'integer'],
    [scale.status, '.status.', 'integer'],
    [scale.selector, '.status.', 'string'],
  ] as const) {
    if (path === undefined) continue;
    const field = at(root, path);
    if (!path.startsWith(prefix) || field === undefined || field === 'unknown' || field.type !== type) {
      throw new DefinitionError(kind, `scale needs a field of type ${type} under ${prefix.slice(0, -1)}, not ${path}`);
    }
  }
}

/** The field that a JSON path leads to; `unknown` where the path or the schema leaves what is known (metadata, filters, free-form parts). */
function at(root: Field, path: string): Field | undefined | 'unknown' {
  if (!/^(\.[A-Za-z0-9_-]+)+$/.test(path) || path.startsWith('.metadata.')) return 'unknown';
  let field: Field | undefined = root;
  for (const name of path.slice(1).split('.')) {
    const next: Field | undefined = field.properties?.[name] ?? field.additionalProperties;
    if (!next) return field['x-kubernetes-preserve-unknown-fields'] ? 'unknown' : undefined;
    field = next;
  }
  return field;
}
