import type { Graph, GraphEdge, GraphNode } from '../../../portrait/graph.ts';
import { harmless } from '../../../portrait/text/harmless.ts';
import { type Line, plain } from './line.ts';

/** A graph may be reached on many ways: beyond this many lines, what was shown before is only named. */
const most = 2000;

/** What each node that nothing leads to leads to, as indented lines. A node is drawn out once; later it is named with `↑`. */
export function graphLines({ nodes, edges, incomplete }: Graph): readonly Line[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const from = Map.groupBy(edges, (edge) => edge.from);
  const reached = new Set(edges.map((edge) => edge.to));
  const drawn = new Set<string>();
  const lines: Line[] = [];
  const draw = (start: GraphNode): void => {
    const pending: { readonly node: GraphNode; readonly depth: number; readonly via?: GraphEdge }[] = [
      { node: start, depth: 0 },
    ];
    for (let next = pending.pop(); next && lines.length < most; next = pending.pop()) {
      const { node, depth, via } = next;
      const again = drawn.has(node.id);
      const below = again ? [] : (from.get(node.id) ?? []);
      lines.push([
        { text: '  '.repeat(Math.min(depth, 40)) },
        { text: via ? `${via.type}${via.label ? ` (${via.label})` : ''} ` : '', tone: 'faint' },
        { text: `${node.type} ${node.label}` },
        {
          text: `${node.note ? `: ${node.note}` : ''}${again && (from.get(node.id)?.length ?? 0) > 0 ? ' ↑' : ''}`,
          tone: 'faint',
        },
      ]);
      drawn.add(node.id);
      for (const edge of below.toReversed()) {
        const target = byId.get(edge.to);
        if (target) pending.push({ node: target, depth: depth + 1, via: edge });
      }
    }
  };
  for (const node of nodes) if (!reached.has(node.id)) draw(node);
  // What is left is part of a circle.
  for (const node of nodes) if (!drawn.has(node.id)) draw(node);
  if (incomplete || lines.length >= most) lines.push(plain('(it is too large to be shown in full)'));
  return lines;
}

/** The same for Graphviz. */
export function graphDot({ nodes, edges }: Graph): string {
  return [
    'digraph {',
    '  rankdir=LR;',
    '  node [shape=box];',
    ...nodes.map(({ id, type, label }) => `  ${quoted(id)} [label=${quoted(type, label)}];`),
    ...edges.map(({ from, to, type, label }) => `  ${quoted(from)} -> ${quoted(to)} [label=${quoted(label ?? type)}];`),
    '}',
    '',
  ].join('\n');
}

/** In a quoted string of DOT only quotes and backslashes mean something. */
function quoted(...lines: readonly string[]): string {
  const escaped = lines.map((line) => harmless(line).replaceAll('\\', '\\\\').replaceAll('"', '\\"'));
  return `"${escaped.join('\\n')}"`;
}
