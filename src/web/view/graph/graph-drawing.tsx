import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Graph } from '../../../portrait/graph.ts';
import { harmless } from '../../../portrait/text/harmless.ts';
import { curve } from '../../layout/curve.ts';
import { graphColumns } from '../../layout/graph-columns.ts';
import { layered } from '../../layout/layered.ts';
import type { Reach } from '../../layout/reach.ts';

const shape = { direction: 'right', nodeWidth: 220, nodeHeight: 26, layerGap: 90, gap: 8 } as const;
const head = 30;
const letters = 29;

export interface GraphDrawingProps {
  readonly graph: Graph;
  readonly withPlans: boolean;
  readonly chosen: string | undefined;
  readonly reach: Reach | undefined;
  readonly onChoose: (id: string | undefined) => void;
}

export function GraphDrawing({ graph, withPlans, chosen, reach, onChoose }: GraphDrawingProps): JSX.Element {
  const columns = useMemo(() => graphColumns(graph, withPlans), [graph, withPlans]);
  const drawing = useMemo(() => layered(columns, shape), [columns]);
  const byId = useMemo(() => new Map(columns.nodes.map((node) => [node.id, node])), [columns]);
  const markOf = (id: string): string => {
    if (!reach) return '';
    if (id === chosen) return 'chosen';
    return reach.down.has(id) ? 'down' : reach.up.has(id) ? 'up' : 'other';
  };
  const lineMark = (from: string, to: string): string => {
    const [start, end] = [markOf(from), markOf(to)];
    if (!reach) return '';
    if (end === 'down' && (start === 'down' || start === 'chosen')) return 'down';
    return start === 'up' && (end === 'up' || end === 'chosen') ? 'up' : 'other';
  };
  return (
    <div class="graph card scroll-x">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has no place in a drawing */}
      <svg
        viewBox={`-4 ${-head} ${drawing.width + 8} ${drawing.height + head + 8}`}
        width={drawing.width + 8}
        height={drawing.height + head + 8}
        role="group"
        aria-label="What depends on what, from parameters on the left to workloads on the right"
      >
        {columns.titles.map((title, index) => (
          <text key={title} class="column" x={index * (shape.nodeWidth + shape.layerGap)} y={-12}>
            {title}
          </text>
        ))}
        {drawing.edges.map(({ from, to, points }) => (
          <path key={`${from} ${to}`} class={`edge ${lineMark(from, to)}`} d={curve(points, 'right')} />
        ))}
        {drawing.nodes.map(({ id, x, y, width, height }) => {
          const node = byId.get(id);
          const label = harmless(node?.label ?? id);
          const choose = (): void => onChoose(id === chosen ? undefined : id);
          return (
            // biome-ignore lint/a11y/useSemanticElements: there is no button in SVG
            <g
              key={id}
              class={`node pick ${markOf(id)}`}
              role="button"
              tabIndex={0}
              aria-pressed={id === chosen}
              aria-label={`${node?.type ?? ''} ${label}`}
              onClick={choose}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' && event.key !== ' ') return;
                event.preventDefault();
                choose();
              }}
            >
              <rect x={x} y={y} width={width} height={height} rx={6} />
              <text x={x + 10} y={y + height / 2}>
                {label.length > letters ? `${label.slice(0, letters - 1)}…` : label}
              </text>
              <title>{node?.note === undefined ? label : `${label}\n${harmless(node.note)}`}</title>
            </g>
          );
        })}
      </svg>
    </div>
  );
}
