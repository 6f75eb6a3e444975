import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { curve } from './curve.ts';
import { layered, type Shape } from './layered.ts';

const shape: Shape = { direction: 'down', nodeWidth: 100, nodeHeight: 20, layerGap: 30, gap: 10 };
const nodes = (...ids: string[]) => ids.map((id) => ({ id }));
const edges = (...pairs: string[]) => pairs.map((pair) => ({ from: pair[0] ?? '', to: pair[1] ?? '' }));

describe('a drawing in layers', () => {
  it('puts a chain into one column, centred', () => {
    const drawing = layered({ nodes: nodes('a', 'b', 'c'), edges: edges('ab', 'bc') }, shape);
    expect(drawing.nodes.map(({ id, x, y }) => [id, x, y])).toEqual([
      ['a', 0, 0],
      ['b', 0, 50],
      ['c', 0, 100],
    ]);
    expect(drawing).toMatchObject({ width: 100, height: 120 });
    expect(drawing.edges[0]?.points).toEqual([
      { x: 50, y: 20 },
      { x: 50, y: 50 },
    ]);
  });

  it('has columns instead of rows when it goes to the right', () => {
    const drawing = layered({ nodes: nodes('a', 'b'), edges: edges('ab') }, { ...shape, direction: 'right' });
    expect(drawing.nodes.map(({ id, x, y }) => [id, x, y])).toEqual([
      ['a', 0, 0],
      ['b', 130, 0],
    ]);
    expect(drawing.edges[0]?.points).toEqual([
      { x: 100, y: 10 },
      { x: 130, y: 10 },
    ]);
  });

  it('breaks a circle where it closes, and draws that line backwards', () => {
    const { edges: drawn } = layered({ nodes: nodes('a', 'b', 'c'), edges: edges('ab', 'bc', 'ca') }, shape);
    expect(drawn.map(({ from, to, back }) => [from, to, back])).toEqual([
      ['a', 'b', false],
      ['b', 'c', false],
      ['c', 'a', true],
    ]);
    const [start, ...rest] = drawn[2]?.points ?? [];
    expect(start?.y).toBe(100);
    expect(rest.at(-1)?.y).toBe(20);
  });

  it('leads a long line past the nodes between', () => {
    const { edges: drawn, nodes: put } = layered(
      { nodes: nodes('a', 'b', 'c'), edges: edges('ab', 'bc', 'ac') },
      shape,
    );
    const bend = drawn[2]?.points[1];
    const between = put.find((node) => node.id === 'b');
    expect(drawn[2]?.points).toHaveLength(4);
    expect(bend && between && (bend.x < between.x || bend.x > between.x + between.width)).toBe(true);
  });

  it('orders neighbours so that lines need not cross', () => {
    const { nodes: put } = layered({ nodes: nodes('a', 'b', 'x', 'y'), edges: edges('ay', 'bx') }, shape);
    const x = (id: string) => put.find((node) => node.id === id)?.x ?? 0;
    expect(x('a') < x('b')).toBe(x('y') < x('x'));
  });

  it('keeps layers that are given', () => {
    const { nodes: put } = layered(
      {
        nodes: [
          { id: 'a', layer: 0 },
          { id: 'b', layer: 3 },
        ],
        edges: edges('ab'),
      },
      shape,
    );
    expect(put.map(({ y }) => y)).toEqual([0, 150]);
  });

  it('leaves out lines that lead nowhere or to themselves', () => {
    expect(layered({ nodes: nodes('a'), edges: edges('aa', 'ab', 'ba') }, shape).edges).toEqual([]);
  });

  it('draws nothing of nothing', () => {
    expect(layered({ nodes: [], edges: [] }, shape)).toEqual({ width: 0, height: 0, nodes: [], edges: [] });
  });

  it('never puts two nodes on top of each other, whatever the graph, and stays within its size', () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const one = fc.constantFrom(...ids);
    fc.assert(
      fc.property(fc.array(fc.record({ from: one, to: one }), { maxLength: 20 }), (given) => {
        const drawing = layered({ nodes: nodes(...ids), edges: given }, shape);
        expect(drawing.nodes.map((node) => node.id)).toEqual(ids);
        for (const a of drawing.nodes) {
          expect(a.x).toBeGreaterThanOrEqual(0);
          expect(a.x + a.width).toBeLessThanOrEqual(drawing.width);
          expect(a.y + a.height).toBeLessThanOrEqual(drawing.height);
          for (const b of drawing.nodes) {
            if (a.id !== b.id && a.y === b.y) expect(Math.abs(a.x - b.x)).toBeGreaterThanOrEqual(a.width);
          }
        }
      }),
    );
  });

  it('is quick and does not recurse for a long chain', () => {
    const ids = Array.from({ length: 3000 }, (_, index) => `n${index}`);
    const chain = ids.slice(1).map((to, index) => ({ from: ids[index] ?? '', to }));
    expect(layered({ nodes: nodes(...ids), edges: chain }, shape).nodes).toHaveLength(3000);
  });
});

describe('a line', () => {
  it('is smooth in the direction of the layers', () => {
    const points = [
      { x: 0, y: 0 },
      { x: 10, y: 40 },
    ];
    expect(curve(points, 'down')).toBe('M0,0C0,20 10,20 10,40');
    expect(curve(points, 'right')).toBe('M0,0C5,0 5,40 10,40');
    expect(curve([], 'down')).toBe('');
  });
});
