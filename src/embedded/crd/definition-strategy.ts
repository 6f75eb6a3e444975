import type { AnyObject } from '../../kube/object.ts';
import type { Draft, Strategy } from '../resource.ts';
import { equal } from '../schema/equal.ts';
import { type Fields, isFields, setField } from '../schema/json.ts';
import { asDefinition } from './definition.ts';
import { definitionWarnings } from './definition-warnings.ts';
import { validateDefinition } from './validate-definition.ts';

/** How CustomResourceDefinitions themselves behave. */
export const definitionStrategy: Strategy = {
  generation: true,

  defaults(draft) {
    draft.spec = withoutNulls(draft.spec ?? {});
    const { spec } = draft;
    spec.names ??= {};
    spec.versions ??= [];
    const { names } = spec;
    names.singular ||= names.kind?.toLowerCase();
    if (names.kind) names.listKind ||= `${names.kind}List`;
    spec.conversion ??= { strategy: 'None' };
    const service = spec.conversion.webhook?.clientConfig?.service;
    if (service) service.port ??= 443;
  },

  prepareForCreate(draft) {
    // Not an empty list: that is how the real server shows a definition that no controller has looked at.
    draft.status = { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: [] };
    storeVersion(draft);
  },

  prepareForUpdate(draft, before) {
    draft.status = before.status === undefined ? {} : structuredClone(before.status);
    if (!equal(draft.spec, before.spec)) storeVersion(draft);
  },

  validate: (object, before) => validateDefinition(asDefinition(object), before && asDefinition(before)),
  warnings: (object: AnyObject) => definitionWarnings(asDefinition(object)),
};

/** Fields that hold whatever JSON the author likes. */
const free = ['default', 'example', 'enum'];

/** A null is an absent field, and an empty item of a list or map, as it is where definitions are Go structs. */
function withoutNulls(value: unknown, inMap = false): Draft {
  if (Array.isArray(value)) return value.map((item) => (item === null ? {} : withoutNulls(item))) as unknown as Draft;
  if (!isFields(value)) return value as Draft;
  const out: Fields = {};
  for (const key of Object.keys(value)) {
    const child = value[key];
    if (child === null && !inMap) continue;
    const isFree = !inMap && free.includes(key);
    setField(out, key, isFree ? child : withoutNulls(child ?? {}, !inMap && key === 'properties'));
  }
  return out as Draft;
}

/** Remembers that objects may be stored in the storage version from now on. */
function storeVersion(draft: Draft): void {
  const stored: string[] = draft.status.storedVersions ?? [];
  const version = draft.spec?.versions?.find((one: { storage?: boolean }) => one.storage)?.name;
  if (version && !stored.includes(version)) stored.push(version);
  draft.status.storedVersions = stored;
}
