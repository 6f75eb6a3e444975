import type { Point } from './layered.ts';

/** A smooth line through the points, as the `d` of an SVG path: it leaves and enters each point in the direction of the layers. */
export function curve(points: readonly Point[], direction: 'down' | 'right'): string {
  const [first, ...rest] = points;
  if (!first) return '';
  let before = first;
  let path = `M${at(first)}`;
  for (const point of rest) {
    const half = direction === 'down' ? (point.y - before.y) / 2 : (point.x - before.x) / 2;
    const out = direction === 'down' ? { x: before.x, y: before.y + half } : { x: before.x + half, y: before.y };
    const into = direction === 'down' ? { x: point.x, y: point.y - half } : { x: point.x - half, y: point.y };
    path += `C${at(out)} ${at(into)} ${at(point)}`;
    before = point;
  }
  return path;
}

function at({ x, y }: Point): string {
  return `${round(x)},${round(y)}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
