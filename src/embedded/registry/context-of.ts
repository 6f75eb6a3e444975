import type { Clock } from '../../clock/clock.ts';
import type { Random } from '../../clock/random.ts';
import type { WatchedCluster } from '../auth/cluster.ts';
import type { StrategyContext } from '../resource.ts';
import type { Store } from '../store/store.ts';
import type { Resources } from './resources.ts';
import { bucketOf, objectAs } from './versions.ts';

/** The cluster as the parts of the server read it that know resources by group and plural, not by version. */
export function contextOf(
  store: Store,
  resources: Resources,
  clock: Clock,
  random: Random,
): StrategyContext & WatchedCluster {
  return {
    clock,
    random,
    read(group, plural, namespace, name) {
      const resource = resources.any(group, plural);
      const entry = resource && store.get({ bucket: bucketOf(resource), namespace: namespace ?? '', name });
      return entry && objectAs(resource, store, entry);
    },
    all(group, plural, namespace) {
      const resource = resources.any(group, plural);
      if (!resource) return [];
      return store.list(bucketOf(resource), namespace).map((entry) => objectAs(resource, store, entry));
    },
    watch: (group, plural, handler) =>
      store.listen(bucketOf({ group, plural }), ({ before, now, deleted }) =>
        handler({
          before: before && store.object(before),
          after: deleted ? undefined : store.object(now),
        }),
      ),
  };
}
