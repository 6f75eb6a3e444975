import type { JSX } from 'preact';
import type { Graph } from '../../../portrait/graph.ts';
import { harmless } from '../../../portrait/text/harmless.ts';
import { Card } from '../parts/card.tsx';
import { Words } from '../parts/words.tsx';

/** The drawing in words, for those who read or hear it, and for the search of the browser. */
export function GraphList({ graph }: { readonly graph: Graph }): JSX.Element {
  const labels = new Map(graph.nodes.map((node) => [node.id, node.label]));
  const leaving = Map.groupBy(graph.edges, (edge) => edge.from);
  return (
    <Card title="As a list">
      <details>
        <summary>{`${graph.nodes.length} things, ${graph.edges.length} ways`}</summary>
        <ul class="graph-list">
          {graph.nodes
            .filter((node) => leaving.has(node.id))
            .map((node) => (
              <li key={node.id}>
                <span class="quiet small">{harmless(node.type)}</span> <strong>{harmless(node.label)}</strong>
                <ul>
                  {(leaving.get(node.id) ?? []).map(({ to, type, label }) => (
                    <li key={`${type} ${to}`} class="small">
                      {harmless(type)} {harmless(labels.get(to) ?? to)}
                      {label !== undefined && (
                        <span class="quiet">
                          {': '}
                          <Words text={label} limit={120} />
                        </span>
                      )}
                    </li>
                  ))}
                </ul>
              </li>
            ))}
        </ul>
      </details>
    </Card>
  );
}
