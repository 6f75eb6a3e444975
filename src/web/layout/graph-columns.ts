import type { Graph, GraphNode } from '../../portrait/graph.ts';

/** From what somebody sets to what runs. Types that are not known here come last. */
const columns = ['parameter', 'plan', 'task', 'template', 'object', 'workload'] as const;
const plans: readonly string[] = ['plan', 'task'];

export interface Columns {
  readonly titles: readonly string[];
  readonly nodes: readonly (GraphNode & { readonly layer: number })[];
  readonly edges: Graph['edges'];
}

/**
 * What of a graph is drawn, and in which column. Plans and tasks are left out unless asked for: they say when something is done, not
 * what depends on what. So are edges of type `changes`, which repeat in one step what the others say in two, and those that would not
 * lead to the right.
 */
export function graphColumns(graph: Graph, withPlans: boolean): Columns {
  const wanted = graph.nodes.filter((node) => withPlans || !plans.includes(node.type));
  const present = columns.filter((type) => wanted.some((node) => node.type === type));
  const others = wanted.some((node) => !columns.some((type) => type === node.type));
  const layerOf = (type: string): number => {
    const at = (present as readonly string[]).indexOf(type);
    return at < 0 ? present.length : at;
  };
  const nodes = wanted.map((node) => ({ ...node, layer: layerOf(node.type) }));
  const layers = new Map(nodes.map((node) => [node.id, node.layer]));
  const edges = graph.edges.filter(({ from, to, type }) => {
    const [start, end] = [layers.get(from), layers.get(to)];
    return type !== 'changes' && start !== undefined && end !== undefined && start < end;
  });
  return { titles: [...present.map((type) => `${type}s`), ...(others ? ['others'] : [])], nodes, edges };
}
