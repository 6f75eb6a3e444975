/** A drawing of who leads to whom, in layers. All numbers are in the units of the sizes that were given. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly Placed[];
  readonly edges: readonly Drawn[];
}

export interface Placed {
  readonly id: string;
  /** The corner at the top left. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Drawn {
  readonly from: string;
  readonly to: string;
  /** Where the line goes, from border to border. */
  readonly points: readonly Point[];
  /** It leads against the direction of the layers. */
  readonly back: boolean;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Shape {
  /** Whether layers are rows, the first at the top, or columns, the first at the left. */
  readonly direction: 'down' | 'right';
  readonly nodeWidth: number;
  readonly nodeHeight: number;
  /** Between layers. */
  readonly layerGap: number;
  /** Between neighbours of a layer. */
  readonly gap: number;
}

export interface Layers {
  readonly nodes: readonly { readonly id: string; readonly layer?: number }[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
}

/** A node of the graph, or a bend of a line that passes a layer. */
interface Slot {
  readonly id: string;
  readonly bend: boolean;
  readonly layer: number;
  position: number;
}

/**
 * Places nodes in layers and leads lines around them: circles are broken where a walk from the first node meets itself, layers are the
 * longest way from a start (unless given), lines get a bend in each layer that they pass, and neighbours are ordered by where their
 * lines come from. The same input gives the same drawing. Edges that lead nowhere or to themselves are left out.
 */
export function layered({ nodes, edges }: Layers, shape: Shape): Drawing {
  const known = new Set(nodes.map((node) => node.id));
  const sound = edges.filter(({ from, to }) => from !== to && known.has(from) && known.has(to));
  const layerOf = layersOf(nodes, forward([...known], sound));
  const slots = new Map<string, Slot>();
  for (const { id } of nodes) slots.set(id, { id, bend: false, layer: layerOf.get(id) ?? 0, position: 0 });
  const ways = sound.map((edge, index) => wayOf(edge, index, slots));
  const rows = ordered([...slots.values()], ways);
  return placed(rows, ways, slots, shape);
}

interface Way {
  readonly from: string;
  readonly to: string;
  readonly back: boolean;
  /** The slots that it passes, in the direction of the layers, ends included. */
  readonly via: readonly string[];
}

/** The edges with those turned round that would close a circle. Without recursion: a chain may be long. */
function forward(ids: readonly string[], edges: Layers['edges']): Layers['edges'] {
  const next = Map.groupBy(edges, (edge) => edge.from);
  const state = new Map<string, 'open' | 'done'>();
  const turned = new Set<Layers['edges'][number]>();
  for (const root of ids) {
    if (state.has(root)) continue;
    state.set(root, 'open');
    const stack = [{ id: root, at: 0 }];
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const edge = next.get(top.id)?.[top.at];
      if (!edge) {
        state.set(top.id, 'done');
        stack.pop();
        continue;
      }
      top.at += 1;
      const seen = state.get(edge.to);
      if (seen === 'open') turned.add(edge);
      if (seen !== undefined) continue;
      state.set(edge.to, 'open');
      stack.push({ id: edge.to, at: 0 });
    }
  }
  return edges.map((edge) => (turned.has(edge) ? { from: edge.to, to: edge.from } : edge));
}

function layersOf(nodes: Layers['nodes'], edges: Layers['edges']): ReadonlyMap<string, number> {
  const layer = new Map(nodes.map((node) => [node.id, node.layer ?? 0]));
  const fixed = new Set(nodes.filter((node) => node.layer !== undefined).map((node) => node.id));
  const next = Map.groupBy(edges, (edge) => edge.from);
  const open = new Map(nodes.map((node) => [node.id, 0]));
  for (const { to } of edges) open.set(to, (open.get(to) ?? 0) + 1);
  const ready = nodes.filter((node) => open.get(node.id) === 0).map((node) => node.id);
  for (let id = ready.shift(); id !== undefined; id = ready.shift()) {
    for (const { to } of next.get(id) ?? []) {
      if (!fixed.has(to)) layer.set(to, Math.max(layer.get(to) ?? 0, (layer.get(id) ?? 0) + 1));
      open.set(to, (open.get(to) ?? 0) - 1);
      if (open.get(to) === 0) ready.push(to);
    }
  }
  return layer;
}

function wayOf({ from, to }: { from: string; to: string }, index: number, slots: Map<string, Slot>): Way {
  const start = slots.get(from)?.layer ?? 0;
  const end = slots.get(to)?.layer ?? 0;
  const [low, high] = start <= end ? [from, to] : [to, from];
  const via = [low];
  for (let layer = Math.min(start, end) + 1; layer < Math.max(start, end); layer += 1) {
    const id = `${index}\u0000${layer}`;
    slots.set(id, { id, bend: true, layer, position: 0 });
    via.push(id);
  }
  return { from, to, back: start > end, via: [...via, high] };
}

/** The slots of each layer in an order with few crossings: a few sweeps down and up, each by the mean of the neighbours. */
function ordered(slots: readonly Slot[], ways: readonly Way[]): Slot[][] {
  const rows: Slot[][] = [];
  for (const slot of slots) {
    while (rows.length <= slot.layer) rows.push([]);
    rows[slot.layer]?.push(slot);
  }
  const number = (row: Slot[]): void => {
    for (const [index, slot] of row.entries()) slot.position = (index + 0.5) / row.length;
  };
  rows.forEach(number);
  const byId = new Map(slots.map((slot) => [slot.id, slot]));
  const above = new Map<string, Slot[]>();
  const below = new Map<string, Slot[]>();
  for (const { via } of ways) {
    for (let at = 1; at < via.length; at += 1) {
      const [upper, lower] = [byId.get(via[at - 1] ?? ''), byId.get(via[at] ?? '')];
      if (!upper || !lower) continue;
      above.set(lower.id, [...(above.get(lower.id) ?? []), upper]);
      below.set(upper.id, [...(below.get(upper.id) ?? []), lower]);
    }
  }
  for (let sweep = 0; sweep < 6; sweep += 1) {
    const [beside, way] = sweep % 2 === 0 ? ([above, rows] as const) : ([below, rows.toReversed()] as const);
    for (const row of way) {
      const mean = new Map(row.map((slot) => [slot, meanOf(beside.get(slot.id)) ?? slot.position]));
      row.sort((a, b) => (mean.get(a) ?? 0) - (mean.get(b) ?? 0));
      number(row);
    }
  }
  return rows;
}

function meanOf(slots: readonly Slot[] | undefined): number | undefined {
  return slots?.length ? slots.reduce((sum, slot) => sum + slot.position, 0) / slots.length : undefined;
}

function placed(
  rows: readonly Slot[][],
  ways: readonly Way[],
  slots: ReadonlyMap<string, Slot>,
  shape: Shape,
): Drawing {
  const { direction, nodeWidth, nodeHeight, layerGap, gap } = shape;
  const down = direction === 'down';
  const across = down ? nodeWidth : nodeHeight;
  const along = down ? nodeHeight : nodeWidth;
  const bendSize = Math.min(across, gap);
  const size = (slot: Slot): number => (slot.bend ? bendSize : across);
  const lengths = rows.map((row) => row.reduce((sum, slot) => sum + size(slot) + gap, -gap));
  const longest = Math.max(0, ...lengths);
  const middles = new Map<string, { readonly across: number; readonly layer: number }>();
  rows.forEach((row, layer) => {
    let at = (longest - (lengths[layer] ?? 0)) / 2;
    for (const slot of row) {
      middles.set(slot.id, { across: at + size(slot) / 2, layer });
      at += size(slot) + gap;
    }
  });
  const point = (acrossAt: number, alongAt: number): Point =>
    down ? { x: acrossAt, y: alongAt } : { x: alongAt, y: acrossAt };
  const border = (id: string, end: 'near' | 'far'): Point => {
    const middle = middles.get(id) ?? { across: 0, layer: 0 };
    return point(middle.across, middle.layer * (along + layerGap) + (end === 'near' ? 0 : along));
  };
  const lineOf = ({ from, to, back, via }: Way): Drawn => {
    const points = via.flatMap((id, index) => {
      if (index === 0) return [border(id, 'far')];
      return index === via.length - 1 ? [border(id, 'near')] : [border(id, 'near'), border(id, 'far')];
    });
    return { from, to, back, points: back ? points.toReversed() : points };
  };
  const depth = Math.max(0, rows.length * (along + layerGap) - layerGap);
  return {
    width: down ? longest : depth,
    height: down ? depth : longest,
    nodes: [...slots.values()]
      .filter((slot) => !slot.bend)
      .map(({ id }) => {
        const { across: at, layer } = middles.get(id) ?? { across: 0, layer: 0 };
        const corner = point(at - across / 2, layer * (along + layerGap));
        return { id, ...corner, width: nodeWidth, height: nodeHeight };
      }),
    edges: ways.map(lineOf),
  };
}
