import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unknownIn } from './metric-names.ts';
import { metricCatalogue } from './metrics-page.ts';

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly datasource?: { readonly type: string; readonly uid: string };
  readonly targets?: readonly { readonly refId: string; readonly expr: string; readonly legendFormat: string }[];
}

const file = join(import.meta.dirname, '..', '..', 'charts/cutover/files/grafana/cutover.json');
const dashboard = JSON.parse(readFileSync(file, 'utf8')) as {
  readonly title: string;
  readonly uid: string;
  readonly schemaVersion: number;
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly query: unknown }[] };
};
const catalogue = metricCatalogue();
const pictures = dashboard.panels.filter(({ type }) => type !== 'row');
const queries = pictures.flatMap(({ title, targets = [] }) => targets.map((target) => [title, target] as const));

describe('the dashboard of Grafana', () => {
  it.each(queries)('asks in "%s" only for what there is', (_, { expr, legendFormat }) => {
    expect(unknownIn(expr, catalogue)).toEqual([]);
    const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label);
    // What is summed away cannot be shown.
    const kept = /\bby \(/.test(expr)
      ? shown.filter((label) => !new RegExp(`by \\([^)]*\\b${label}\\b`).test(expr))
      : [];
    expect(kept).toEqual([]);
  });

  it('has three rows, and says of every variable where it comes from', () => {
    expect(dashboard.panels.filter(({ type }) => type === 'row').map(({ title }) => title)).toEqual([
      'Fleet',
      'Transitions',
      'Operator health',
    ]);
    const used = queries.flatMap(([, { expr }]) => [...expr.matchAll(/\$(\w+)/g)].map(([, name = '']) => name));
    const known = [...dashboard.templating.list.map(({ name }) => name), '__interval', '__rate_interval'];
    expect([...new Set(used)].filter((name) => !known.includes(name))).toEqual([]);
  });

  it('has the shape that Grafana imports: panels with ids of their own that lie beside each other', () => {
    expect(dashboard).toMatchObject({ title: 'Cutover', uid: 'cutover', schemaVersion: 39 });
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
    const taken = new Set<string>();
    for (const {
      gridPos: { x, y, w, h },
      title,
    } of dashboard.panels) {
      expect(x + w, title).toBeLessThanOrEqual(24);
      for (let column = x; column < x + w; column++) {
        for (let line = y; line < y + h; line++) {
          expect(taken.has(`${column} ${line}`), title).toBe(false);
          taken.add(`${column} ${line}`);
        }
      }
    }
    for (const { targets = [], datasource } of pictures) {
      expect(targets.length).toBeGreaterThan(0);
      expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
      expect(datasource).toEqual({ type: 'prometheus', uid: '$datasource' });
    }
  });
});
