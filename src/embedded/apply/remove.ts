import { type Fields, isFields, setField } from '../schema/json.ts';
import { type Builder, below, type FieldSet, fieldStep, isEmpty, isMember, node } from './field-set.ts';
import { itemStep, type ListType, type MapType, type MergeType, partFor } from './merge-type.ts';

/** The value without the members of a set. A container that loses all it had goes as well. */
export function remove(type: MergeType, value: unknown, set: FieldSet): unknown {
  if (isEmpty(set)) return value;
  const kind = partFor(type, value);
  if (kind === 'map' && isFields(value)) {
    const map = type.map as MapType;
    return map.atomic ? undefined : removeFields(map, value, set);
  }
  if (kind === 'list' && Array.isArray(value)) {
    const list = type.list as ListType;
    return list.atomic ? undefined : removeItems(list, value, set);
  }
  return value;
}

function removeFields(map: MapType, value: Fields, set: FieldSet): unknown {
  const out: Fields = {};
  let left = false;
  for (const key of Object.keys(value)) {
    const found = set[fieldStep(key)];
    if (found && isMember(found)) continue;
    const type = map.field(key)?.type ?? map.others;
    const child = found && type ? remove(type, value[key], found) : value[key];
    if (child === undefined) continue;
    setField(out, key, child);
    left = true;
  }
  return left ? out : undefined;
}

function removeItems(list: ListType, items: readonly unknown[], set: FieldSet): unknown {
  const out = items.flatMap((item) => {
    const found = itemStep(list, item);
    const at = 'problem' in found ? undefined : set[found.step];
    if (!at) return [item];
    return isMember(at) ? [] : [remove(list.items, item, at) ?? {}];
  });
  return out.length > 0 ? out : undefined;
}

/**
 * The set with every named field on the way to a member made a member too: when all that an applier had in a struct
 * goes, the struct goes; the keys of a free map were members already.
 */
export function withNamedFields(type: MergeType, set: FieldSet): FieldSet {
  if (isEmpty(set)) return set;
  const out: Builder = {};
  for (const step of Object.keys(set)) {
    const child = set[step] as FieldSet;
    if (step === '.') {
      out[step] = child;
      continue;
    }
    const field = step.startsWith('f:') ? type.map?.field(step.slice(2)) : undefined;
    const inner = step.startsWith('f:') ? (field?.type ?? type.map?.others) : type.list?.items;
    const children = below(child);
    out[step] = node(field !== undefined || isMember(child), inner ? withNamedFields(inner, children) : children);
  }
  return out;
}
