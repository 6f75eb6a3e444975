import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Machine } from '../../../portrait/portrait.ts';
import { harmless } from '../../../portrait/text/harmless.ts';
import { curve } from '../../layout/curve.ts';
import { layered } from '../../layout/layered.ts';
import { Card } from '../parts/card.tsx';
import { Words } from '../parts/words.tsx';

/** The states that it can be in. What leads on from the present one is marked, and told in words below. */
export function MachineCard({ machine }: { readonly machine: Machine }): JSX.Element {
  const names = machine.states.map((state) => state.name);
  const nodeWidth = Math.max(70, ...names.map((name) => Math.min(30, name.length) * 6.8 + 16));
  const drawing = useMemo(
    () =>
      layered(
        { nodes: names.map((id) => ({ id })), edges: machine.edges },
        { direction: 'down', nodeWidth, nodeHeight: 26, layerGap: 24, gap: 14 },
      ),
    [JSON.stringify([names, machine.edges])],
  );
  const current = new Set(machine.states.filter((state) => state.current).map((state) => state.name));
  const leaving = machine.edges.filter((edge) => current.has(edge.from));
  return (
    <Card title="States" class="machine">
      <svg
        viewBox={`-4 -4 ${drawing.width + 8} ${drawing.height + 8}`}
        width={drawing.width + 8}
        role="img"
        aria-label={`States, of which the present one is ${[...current].map(harmless).join(', ') || 'unknown'}`}
      >
        <defs>
          {['', 'leaving'].map((kind) => (
            <marker
              key={kind}
              id={`tip-${kind}`}
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerWidth="7"
              markerHeight="7"
              markerUnits="userSpaceOnUse"
              orient="auto"
            >
              <path class={`arrow ${kind}`} d="M0 0 8 4 0 8Z" />
            </marker>
          ))}
        </defs>
        {drawing.edges.map(({ from, to, points }) => {
          const kind = current.has(from) ? 'leaving' : '';
          return (
            <path
              key={`${from} ${to}`}
              class={`edge ${kind}`}
              d={curve(points, 'down')}
              marker-end={`url(#tip-${kind})`}
            />
          );
        })}
        {drawing.nodes.map(({ id, x, y, width, height }) => (
          <g key={id} class={current.has(id) ? 'node current' : 'node'}>
            <rect x={x} y={y} width={width} height={height} rx={6} />
            <text x={x + width / 2} y={y + height / 2}>
              {clipped(harmless(id))}
            </text>
            <title>{harmless(id)}</title>
          </g>
        ))}
      </svg>
      {leaving.length > 0 && (
        <ul class="leads small">
          {leaving.map(({ to, label }) => (
            <li key={to}>
              → <code>{harmless(to)}</code> {label !== undefined && <Words text={label} />}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function clipped(name: string): string {
  return name.length > 30 ? `${name.slice(0, 29)}…` : name;
}
