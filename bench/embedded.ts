import { execFileSync } from 'node:child_process';
import { type Benchmark, median, type Row, ratioRow } from './benchmark.ts';
import { Load } from './embedded/load.ts';
import { type Subject, startOurs, startPeer } from './embedded/subject.ts';

/** What one run of one server gives. */
interface Figures {
  readonly readyMs: number;
  readonly createsPerSecond: number;
  readonly watchP99Ms: number;
  readonly residentMiB: number;
}

type Goal = Parameters<typeof ratioRow>[2];

/** The embedded server, bundled and over HTTPS, against a real etcd and kube-apiserver under the same load. */
export const embedded: Benchmark = {
  name: 'embedded',
  about:
    'the embedded API server: start, creates, watch latency, memory; peer: npm run -s rig -- serve --no-controllers',
  async run({ peer, smoke, progress }) {
    progress('bundling');
    execFileSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });
    const rounds = smoke ? 1 : 3;
    const count = smoke ? 200 : 10_000;
    const ours: Figures[] = [];
    const kept: Figures[] = [];
    const theirs: Figures[] = [];
    for (let round = 1; round <= rounds; round++) {
      progress(`round ${round} of ${rounds}: in memory`);
      ours.push(await measure(await startOurs({ data: false }), count));
      progress(`round ${round} of ${rounds}: with --data`);
      kept.push(await measure(await startOurs({ data: true }), count));
      if (!peer) continue;
      progress(`round ${round} of ${rounds}: ${peer}`);
      theirs.push(await measure(await startPeer(peer), count));
    }
    const row = (metric: string, unit: string, figure: keyof Figures, runs: readonly Figures[], goal: Goal): Row => {
      const middle = (of: readonly Figures[]): number => median(of.map((run) => run[figure]));
      const peerRow = theirs.length > 0 ? { name: 'etcd + kube-apiserver', value: middle(theirs) } : undefined;
      return ratioRow({ metric, unit, ours: middle(runs) }, peerRow, goal);
    };
    return [
      row('time to ready', 'ms', 'readyMs', ours, { most: 0.3 }),
      row('creates', '1/s', 'createsPerSecond', ours, { least: 1.5 }),
      row('create → watch event, p99', 'ms', 'watchP99Ms', ours, { most: 1 }),
      row(`memory after ${count} creates`, 'MiB', 'residentMiB', ours, { most: 0.4 }),
      row('creates with --data', '1/s', 'createsPerSecond', kept, { least: 1 }),
    ];
  },
};

async function measure(subject: Subject, count: number): Promise<Figures> {
  const load = new Load(subject);
  try {
    await load.creates('warm', Math.min(count, 500));
    const ms = await load.creates('load', count);
    const residentMiB = subject.residentMiB();
    const latencies = [...(await load.watchLatencies(Math.min(count, 1000)))].sort((a, b) => a - b);
    return {
      readyMs: subject.readyMs,
      createsPerSecond: (count * 1000) / ms,
      watchP99Ms: latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN,
      residentMiB,
    };
  } finally {
    load.close();
    await subject.stop();
  }
}
