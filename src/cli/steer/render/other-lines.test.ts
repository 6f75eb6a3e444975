import { describe, expect, it } from 'vitest';
import type { Graph } from '../../../portrait/graph.ts';
import { graphDot, graphLines } from './graph.ts';
import { historyLines } from './history.ts';
import { type Line, printed } from './line.ts';
import { newsLines } from './news.ts';
import { flinkPage, now } from './pages.fixture.ts';
import { treeLines } from './tree.ts';
import { whyLines } from './why.ts';

function shown(lines: readonly Line[]): readonly string[] {
  return lines.map((line) => printed(line, { width: Number.POSITIVE_INFINITY, color: false }));
}

describe('history', () => {
  it('tells what changed, why, how it ended and how long it took', () => {
    expect(shown(historyLines(flinkPage.portrait, now, false))).toEqual([
      'AGO  WHAT          OUTCOME     TOOK  BECAUSE              INFO',
      '2h   green → blue  ✔ promoted  1m    parallelism changed  started from s3://state/sp-77',
      '25h  blue → green  ✖ aborted         image changed',
    ]);
    expect(shown(historyLines(flinkPage.portrait, now, true))[1]).toMatch(/savepointing 10s, starting 50s$/);
  });
});

describe('why', () => {
  it('tells for what a pod runs, and why it is there', () => {
    const pod = flinkPage.portrait.pods[0] ?? expect.fail();
    const frame = { width: Number.POSITIVE_INFINITY, now, program: 'cutover' };
    expect(shown(whyLines({ pod, portrait: flinkPage.portrait, events: flinkPage.events.slice(1) }, frame))).toEqual([
      'Pod:          streaming/orders-blue-jm, 116m old',
      'Status:       ✔ Running',
      'Runs for:     FlinkBlueGreenDeployment orders, blue',
      'Crashed:      its containers restarted 2× by themselves',
      '',
      'WHEN          AGO   WHY',
      'did           116m  Made for the first deployment.',
      'will restart        Will be deleted with blue.',
      '',
      'EVENT  REASON   ABOUT               NOTE',
      '8m     BackOff  Pod/orders-blue-jm  restarting failed container (2×)',
    ]);
  });
});

describe('news', () => {
  it('has a line for each step and each status that is different, and none for the rest', () => {
    const { portrait } = flinkPage;
    const [first, second, ...rest] = portrait.steps;
    const steps = [first, { ...second, status: 'done' }, { ...rest[0], status: 'current', info: '1 of 2' }];
    const after = { ...flinkPage, portrait: { ...portrait, steps, headline: 'green is ready' } } as typeof flinkPage;
    expect(shown(newsLines(flinkPage, flinkPage, now))).toEqual([]);
    expect(shown(newsLines(flinkPage, after, now))).toEqual([
      '12:00:00  ✔ Start green: done',
      '12:00:00  ◌ Move traffic to green: now, 1 of 2',
      '12:00:00  ◌ progressing (TRANSITIONING_TO_GREEN): green is ready',
    ]);
  });
});

describe('a tree', () => {
  it('ends, however much hangs on it', () => {
    const leaf = { kind: 'Pod', name: 'p', phase: 'healthy', status: 'Running', children: [] } as const;
    const children = Array.from({ length: 1000 }, () => leaf);
    const lines = shown(treeLines({ ...leaf, kind: 'Thing', name: 'root', children }, { pods: [], now }));
    expect([lines.length, lines.at(-1)]).toEqual([202, '… and 801 more']);
  });
});

describe('a graph', () => {
  const graph: Graph = {
    nodes: [
      { id: 'param/N', type: 'parameter', label: 'N', note: 'no restart' },
      { id: 't', type: 'template', label: 'a".yaml' },
      { id: 'o', type: 'object', label: 'ConfigMap\nx' },
      { id: 'c1', type: 'plan', label: 'one' },
      { id: 'c2', type: 'plan', label: 'two' },
    ],
    edges: [
      { from: 'param/N', to: 't', type: 'reads', label: 'line 3' },
      { from: 'param/N', to: 'o', type: 'changes' },
      { from: 't', to: 'o', type: 'renders' },
      { from: 'c1', to: 'c2', type: 'runs' },
      { from: 'c2', to: 'c1', type: 'runs' },
      { from: 'c1', to: 'nowhere', type: 'runs' },
    ],
  };

  it('is drawn from where nothing leads to, each node once, circles too', () => {
    expect(shown(graphLines(graph))).toEqual([
      'parameter N: no restart',
      '  reads (line 3) template a".yaml',
      '    renders object ConfigMap\\nx',
      '  changes object ConfigMap\\nx',
      'plan one',
      '  runs plan two',
      '    runs plan one ↑',
    ]);
  });

  it('is quoted for Graphviz', () => {
    expect(graphDot(graph)).toContain('  "t" [label="template\\na\\".yaml"];\n');
    expect(graphDot(graph)).toContain('  "o" [label="object\\nConfigMap\\\\nx"];\n');
    expect(graphDot(graph)).toContain('  "param/N" -> "t" [label="line 3"];\n');
  });
});
