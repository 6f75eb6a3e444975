import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Benchmark, type Row, ratioRow } from './benchmark.ts';
import { type AtRest, measureAtRest } from './scale/at-rest.ts';
import { type Edits, measureEdits } from './scale/edits.ts';
import { multiply } from './scale/multiply.ts';
import { plot } from './scale/plot.ts';
import { startCluster } from './scale/standing-cluster.ts';
import { recordTemplate } from './scale/template.ts';
import { measureTransitions, type Transitions } from './scale/transitions.ts';

const small = { sizes: [100, 300], settleMs: 1_000, restMs: 3_000, edits: 5, transitions: 5 };
/** The interval at rest is a minute: first one to come to rest, then two to be measured. */
const whole = { sizes: [100, 1_000, 10_000], settleMs: 70_000, restMs: 120_000, edits: 100, transitions: 500 };

/** Sizes first, each with an operator of its own; then edits among the most; then transitions, all at once. */
export const scale: Benchmark = {
  name: 'scale',
  about: 'what many FlinkDeployments cost the operator, an edit among them, and many blue/green transitions at once',
  async run({ smoke, progress }) {
    const { sizes, transitions, ...options } = smoke ? small : whole;
    progress('bundling');
    execFileSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });
    const home = mkdtempSync(join(tmpdir(), 'cutover-bench-'));
    try {
      progress('one FlinkDeployment comes to rest');
      const template = await recordTemplate(home);
      const measured: AtRest[] = [];
      let edits: Edits | undefined;
      let from = 0;
      for (const size of sizes) {
        await multiply(home, template, from, size);
        from = size;
        await using cluster = await startCluster(home);
        measured.push(await measureAtRest(cluster, { size, progress, ...options }));
        if (size === sizes.at(-1))
          edits = await measureEdits(cluster, { size, count: options.edits, progress, ...options });
      }
      console.log(`\n${plot(measured)}`);
      progress(`${transitions} transitions at once`);
      return [
        ...restRows(measured),
        ...editRows(edits),
        ...transitionRows(await measureTransitions(transitions, progress)),
      ];
    } finally {
      rmSync(home, { recursive: true });
    }
  },
};

function restRows(measured: readonly AtRest[]): Row[] {
  const [first, , ...more] = measured;
  const last = measured.at(-1);
  if (!first || !last) return [];
  const before = more.length > 0 ? measured.at(-2) : first;
  const count = (size: number): string => size.toLocaleString('en');
  const bound = (metric: string, unit: string, ours: number, most: number): Row => {
    const goal = `≤ ${most} ${unit}`;
    return { metric, unit, ours, peer: null, peerName: null, ratio: null, goal, holds: ours <= most };
  };
  const growth = (metric: string, unit: string, figure: (one: AtRest) => number): Row[] => {
    if (!before || before === first) return [];
    const name = `each of the ${count(before.size)} before`;
    const each = (from: AtRest, to: AtRest): number => (figure(to) - figure(from)) / (to.size - from.size);
    return [ratioRow({ metric, unit, ours: each(before, last) }, { name, value: each(first, before) }, { most: 1.25 })];
  };
  return [
    bound(`${count(last.size)} at rest, resident memory`, 'MiB', last.residentMiB, 400),
    bound(`${count(last.size)} at rest, CPU`, 'cores', last.cores, 0.2),
    bound(`${count(last.size)} at rest, writes`, 'requests', last.writes, 0),
    ...growth('memory of one more', 'KiB', (one) => one.residentMiB * 1024),
    ...growth('CPU of one more', 'µcores', (one) => one.cores * 1e6),
    ...growth('start of one more', 'ms', (one) => one.syncMs),
  ];
}

function editRows(edits: Edits | undefined): Row[] {
  if (!edits) return [];
  const { idle, resync } = edits;
  const row = (part: string, of: (values: readonly number[]) => number): Row =>
    ratioRow(
      { metric: `edit during a full resync, ${part}`, unit: 'ms', ours: of(resync) },
      { name: 'the same edits while nothing else happens', value: of(idle) },
      { most: 3 },
    );
  return [row('p99', (values) => quantile(values, 0.99)), row('p50', (values) => quantile(values, 0.5))];
}

function transitionRows({ count, violations, virtualSeconds, cpuSeconds }: Transitions): Row[] {
  const plain = { peer: null, peerName: null, ratio: null, goal: '', holds: null };
  const unit = 'violations';
  return [
    {
      ...plain,
      metric: `${count} transitions at once`,
      unit,
      ours: violations.length,
      goal: '0',
      holds: violations.length === 0,
    },
    { ...plain, metric: `${count} transitions, virtual time`, unit: 's', ours: virtualSeconds },
    { ...plain, metric: `${count} transitions, CPU of the whole world`, unit: 's', ours: cpuSeconds },
  ];
}

/** All but a part of them are as small. */
function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * part) - 1] ?? Number.NaN;
}
