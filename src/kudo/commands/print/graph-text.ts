import { type Branch, tree } from '../../../portrait/text/tree.ts';
import type { Graph, GraphEdge, GraphNode } from '../../graph/graph.ts';

type EdgeOf<T extends GraphEdge['type']> = Extract<GraphEdge, { readonly type: T }>;

/** The graph as a tree: each parameter with the plan it runs, the templates that read it, what changes with it, and whose pods use that. */
export function graphText(graph: Graph, parameter?: string): string {
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const from = Map.groupBy(graph.edges, (edge) => edge.from);
  const edges = <T extends GraphEdge['type']>(id: string, type: T): readonly EdgeOf<T>[] =>
    (from.get(id) ?? []).filter((edge): edge is EdgeOf<T> => edge.type === type);

  const objectBranch = ({ to, fields, podTemplate }: EdgeOf<'changes'>): Branch => {
    const restarts = podTemplate ? `, in the pod template: ${consequenceFor(nodes.get(to))}` : '';
    const fed = edges(to, 'feeds').map((edge) => ({
      text: `used by pods of ${title(nodes.get(edge.to))} (${edge.by.join(', ')})`,
    }));
    return { text: `${title(nodes.get(to))}: ${fields.join(', ')}${restarts}`, branches: fed };
  };
  const parameterBranch = (node: Extract<GraphNode, { readonly type: 'parameter' }>): Branch => {
    const plans = edges(node.id, 'triggers').map(({ to }) => ({ text: `runs ${title(nodes.get(to))}` }));
    const switched = edges(node.id, 'switches').map(({ to }) => ({
      text: `switches ${title(nodes.get(to))}`,
    }));
    const changed = edges(node.id, 'changes');
    const read = edges(node.id, 'reads').map(({ to, lines, any }) => {
      const rendered = new Set(edges(to, 'renders').map((edge) => edge.to));
      const where = any ? ' (all parameters as a whole)' : lines.length > 0 ? `:${lines.join(',')}` : '';
      return {
        text: `${title(nodes.get(to))}${where}`,
        branches: changed.filter((edge) => rendered.has(edge.to)).map(objectBranch),
      };
    });
    const flag = node.forcePodRestart ? 'a change restarts pods' : 'forcePodRestart: false';
    return { text: `${node.name} (${flag})`, branches: [...plans, ...switched, ...read] };
  };
  const shown = graph.nodes.filter(
    (node) => node.type === 'parameter' && (parameter === undefined || node.name === parameter),
  );
  const text = tree(
    '.',
    shown.flatMap((node) => (node.type === 'parameter' ? [parameterBranch(node)] : [])),
  );
  return graph.incomplete ? `${text}The package is too large to be looked at in full: parts may be missing.\n` : text;
}

/** What Kubernetes does about a changed pod template. */
function consequenceFor(node: GraphNode | undefined): string {
  const kind = node && 'kind' in node ? node.kind : '';
  if (kind === 'Job' || kind === 'Pod') return 'it has to be deleted first';
  return kind === 'CronJob' ? 'the next run has it' : 'Kubernetes replaces the pods';
}

function title(node: GraphNode | undefined): string {
  switch (node?.type) {
    case undefined:
      return '?';
    case 'parameter':
    case 'plan':
    case 'task':
      return `${node.type} ${node.name}`;
    case 'template':
      return `template ${node.file}${node.broken ? ' (it cannot be rendered with these values)' : ''}`;
    case 'object':
    case 'workload':
      return `${node.kind} ${node.name}`;
    default:
      return node satisfies never;
  }
}
