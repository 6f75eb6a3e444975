import { isFields } from '../schema/json.ts';
import { type Builder, emptySet, type FieldSet, fieldStep, node, put } from './field-set.ts';
import { itemStep, type ListType, type MapType, type MergeType, partFor } from './merge-type.ts';

/** The fields that an applied configuration claims: its leaves, its list items, and the keys of free maps. */
export function fieldsOf(type: MergeType, value: unknown): FieldSet {
  return walk(type, value).children;
}

interface Found {
  /** Whether the value itself is a leaf. */
  readonly leaf: boolean;
  readonly children: FieldSet;
}

const leaf: Found = { leaf: true, children: emptySet };
const nothing: Found = { leaf: false, children: emptySet };

function walk(type: MergeType, value: unknown): Found {
  switch (partFor(type, value)) {
    case 'scalar':
      return leaf;
    case 'list': {
      const list = type.list as ListType;
      if (list.atomic) return leaf;
      return Array.isArray(value) ? { leaf: false, children: fieldsOfList(list, value) } : nothing;
    }
    case 'map': {
      const map = type.map as MapType;
      if (map.atomic) return leaf;
      return isFields(value) ? { leaf: false, children: fieldsOfMap(map, value) } : nothing;
    }
  }
}

function fieldsOfList(list: ListType, items: readonly unknown[]): FieldSet {
  const out: Builder = {};
  for (const item of items) {
    const found = itemStep(list, item);
    if ('problem' in found) continue;
    // Of an item that stands there twice only its presence can be owned.
    out[found.step] = out[found.step] ? emptySet : node(true, walk(list.items, item).children);
  }
  return out;
}

function fieldsOfMap(map: MapType, value: Readonly<Record<string, unknown>>): FieldSet {
  const out: Builder = {};
  for (const key of Object.keys(value)) {
    const child = value[key];
    const field = map.field(key);
    const type = field?.type ?? map.others;
    if (!type) continue;
    const found = walk(type, child);
    const hollow = child === null || (isFields(child) && Object.keys(child).length === 0);
    put(out, fieldStep(key), found.leaf || hollow || !field, found.children);
  }
  return out;
}
