import { getField, isFields, setField } from '../schema/json.ts';
import { itemStep, type ListType, type MapType, type MergeType, partFor } from './merge-type.ts';

/** The live object with an applied configuration laid over it. Shares what it does not change; changes neither. */
export function merge(type: MergeType, live: unknown, config: unknown): unknown {
  if (config === undefined) return live;
  if (live === undefined) return config;
  const kind = partFor(type, config);
  if (kind !== partFor(type, live)) return config;
  if (kind === 'map') {
    const map = type.map as MapType;
    if (map.atomic || !isFields(live) || !isFields(config)) return config === null && isFields(live) ? live : config;
    return mergeMaps(map, live, config);
  }
  if (kind === 'list') {
    const list = type.list as ListType;
    if (list.atomic || !Array.isArray(live) || !Array.isArray(config)) return config;
    return live.length === 0 && config.length === 0 ? config : mergeLists(list, live, config);
  }
  return config;
}

function mergeMaps(map: MapType, live: Record<string, unknown>, config: Record<string, unknown>): unknown {
  const out: Record<string, unknown> = { ...live };
  for (const key of Object.keys(config)) {
    const type = map.field(key)?.type ?? map.others;
    if (type) setField(out, key, merge(type, getField(live, key), config[key]));
  }
  return out;
}

/**
 * Items of both, each once. The order is the configuration's for the items it has; items that only the live list has
 * stay where they stand among those.
 */
function mergeLists(list: ListType, live: readonly unknown[], config: readonly unknown[]): unknown[] {
  const lefts = index(list, live);
  const rights = index(list, config);
  const wanted = new Map(rights.map((entry) => [entry.step, entry.item]));
  const times = new Map<string, number>();
  for (const { step } of lefts) times.set(step, (times.get(step) ?? 0) + 1);
  const there = new Map(lefts.map((entry) => [entry.step, entry.item]));
  const shared = rights.filter(({ step }) => there.has(step)).map(({ step }) => step);

  const out: unknown[] = [];
  const taken = new Set<string>();
  let [l, r] = [0, 0];
  while (l < lefts.length || r < rights.length) {
    const left = lefts[l];
    const right = rights[r];
    if (left && right) {
      if (left.step === right.step) {
        take(right.step, right.item);
        l++;
        r++;
        continue;
      }
      if (wanted.has(left.step) && shared.length > 0 && shared[0] !== left.step) {
        l++;
        continue;
      }
    }
    if (left) {
      if (!wanted.has(left.step)) {
        out.push(left.item);
        l++;
        continue;
      }
      if (taken.has(left.step)) l++;
    }
    if (right) {
      take(right.step, right.item);
      r++;
    }
  }
  return out;

  function take(step: string, item: unknown): void {
    taken.add(step);
    if (shared[0] === step) shared.shift();
    // An item that the live list holds twice is replaced, not merged: nobody can say which of the two is meant.
    out.push(merge(list.items, times.get(step) === 1 ? there.get(step) : undefined, item));
  }
}

function index(list: ListType, items: readonly unknown[]): { readonly step: string; readonly item: unknown }[] {
  return items.flatMap((item) => {
    const found = itemStep(list, item);
    return 'problem' in found ? [] : [{ step: found.step, item }];
  });
}
