import type { Pod } from '../kinds/objects/pod.ts';
import { nodes, pods } from '../kinds/resource-types.ts';
import type { World } from '../world.ts';
import { type Controller, itself, keyOf } from './loop.ts';

/** A node that is not there may be on its way: it is given this long. */
const quarantine = 40_000;

/** Removes pods of nodes that are not there, by force: nobody else would ever end them. */
export function lostPods(world: World): Controller {
  const lostSince = new Map<string, number>();
  return {
    name: 'lost-pods',
    sources: [
      itself(pods),
      {
        type: nodes,
        keys: ({ before, after }) =>
          before && !after ? world.list<Pod>(pods).filter(isOn(before.metadata.name)).map(keyOf) : [],
      },
    ],
    async reconcile({ namespace, name }) {
      const pod = world.get<Pod>(pods, namespace, name);
      const id = pod?.metadata.uid ?? '';
      const node = pod?.spec.nodeName;
      if (!pod || !node || world.get(nodes, undefined, node)) {
        lostSince.delete(id);
        return undefined;
      }
      const since = lostSince.get(id) ?? world.clock.now();
      lostSince.set(id, since);
      const left = since + quarantine - world.clock.now();
      if (left > 0) return left;
      lostSince.delete(id);
      await world.remove(pods, pod, { graceSeconds: 0 });
      return undefined;
    },
  };
}

function isOn(node: string | undefined): (pod: Pod) => boolean {
  return ({ spec }) => spec.nodeName === node;
}
