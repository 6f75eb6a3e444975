import type { Around } from '../../portrait/workload.ts';
import type { Sight } from '../access/sight.ts';
import type { Shelves } from './shelves.ts';

/** What is known around a namespace to somebody who sees so far. What they do not see cannot be read. */
export function aroundWith(shelves: Shelves, sight: Sight, namespace: string, now: number): Around {
  return {
    now,
    list: (type) => (sight.reach(type) === 'nowhere' ? undefined : shelves.of(type)?.in(namespace)),
    find(type, where, name) {
      const reach = sight.reach(type);
      if (reach === 'nowhere' || (reach === 'here' && where !== namespace)) return 'unknown';
      return shelves.of(type)?.find(where, name) ?? 'unknown';
    },
  };
}
