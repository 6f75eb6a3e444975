import { notReadyTaint } from '../kinds/node.ts';
import type { Node } from '../kinds/objects/cluster.ts';
import { nodes } from '../kinds/resource-types.ts';
import type { World } from '../world.ts';
import { holds } from './condition.ts';
import { type Controller, itself } from './loop.ts';

/** Keeps pods off nodes that are not ready, by a taint. */
export function nodeReadiness(world: World): Controller {
  return {
    name: 'node-readiness',
    sources: [itself(nodes)],
    async reconcile({ name }) {
      const node = world.get<Node>(nodes, undefined, name);
      if (!node) return undefined;
      const others = (node.spec?.taints ?? []).filter((taint) => taint.key !== notReadyTaint.key);
      const ready = holds(node.status?.conditions, 'Ready');
      const tainted = others.length !== (node.spec?.taints ?? []).length;
      if (ready !== tainted) return undefined;
      const taints = ready ? others : [...others, notReadyTaint];
      await world.update(nodes, { ...node, spec: { ...node.spec, taints } });
      return undefined;
    },
  };
}
