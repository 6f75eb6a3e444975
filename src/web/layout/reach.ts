import type { Graph } from '../../portrait/graph.ts';

/** What has to do with a node. */
export interface Reach {
  /** What a change of it may change. */
  readonly down: ReadonlySet<string>;
  /** What may change it. */
  readonly up: ReadonlySet<string>;
}

/**
 * Who depends on a node, and on whom it depends. A parameter that a template reads need not reach everything that the template renders;
 * where the graph knows what really changes (edges of type `changes`), that is followed instead of the way through templates, which are
 * then ends.
 */
export function reach(graph: Graph, id: string): Reach {
  const precise = graph.edges.some((edge) => edge.type === 'changes');
  const parameter = graph.nodes.find((node) => node.id === id)?.type === 'parameter';
  const loose = ['renders', 'applies', 'runs'];
  return {
    down: walk(graph, id, 'from', 'to', precise && parameter ? loose : []),
    up: walk(graph, id, 'to', 'from', precise ? ['reads', 'applies'] : []),
  };
}

function walk(
  graph: Graph,
  start: string,
  from: 'from' | 'to',
  to: 'from' | 'to',
  not: readonly string[],
): ReadonlySet<string> {
  const next = Map.groupBy(
    graph.edges.filter((edge) => !not.includes(edge.type) || (from === 'to' && edge.to === start)),
    (edge) => edge[from],
  );
  const found = new Set<string>();
  const open = [start];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const edge of next.get(id) ?? []) {
      if (found.has(edge[to]) || edge[to] === start) continue;
      found.add(edge[to]);
      open.push(edge[to]);
    }
  }
  return found;
}
