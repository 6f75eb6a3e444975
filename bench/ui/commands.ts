import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { instance } from '../../src/kudo/resources/instance.ts';
import { type BenchmarkOptions, median, type Row, ratioRow } from '../benchmark.ts';
import { timed } from '../cloudfoundry/wire.ts';
import { namespace, parameter, settingsInstance } from '../kudo/package.ts';
import type { World } from '../kudo/world.ts';

interface Pair {
  readonly metric: string;
  readonly ours: readonly string[];
  readonly kubectl: readonly string[];
  /** How kubectl ends when all is well. */
  readonly code: number;
  readonly ownCode: number;
  readonly most: number;
}

/** Whole commands, from the start of the process to its end, ours and kubectl's in turn. */
export async function measureCommands(
  world: World,
  {
    runs,
    workloads,
    progress,
  }: { readonly runs: number; readonly workloads: number } & Pick<BenchmarkOptions, 'progress'>,
): Promise<readonly Row[]> {
  const home = await mkdtemp(join(tmpdir(), 'cutover-bench-ui-'));
  try {
    const file = join(home, 'edit.yaml');
    const { metadata, ...object } = settingsInstance('ledger-0');
    const edited = { ...object, metadata, spec: { ...(object.spec as object), parameters: { [parameter]: 'edited' } } };
    await writeFile(file, JSON.stringify(edited));
    const pairs: readonly Pair[] = [
      {
        metric: `list of ${workloads} workloads`,
        ours: ['list', 'instance', '-n', namespace],
        kubectl: ['get', `${instance.type.plural}.${instance.type.group}`, '-n', namespace],
        code: 0,
        ownCode: 0,
        most: 1.5,
      },
      {
        metric: 'plan of an edit',
        ours: ['plan', '-f', file],
        kubectl: ['diff', '-f', file],
        code: 1,
        ownCode: 2,
        most: 2,
      },
    ];
    const rows: Row[] = [];
    for (const pair of pairs) rows.push(await measured(world, pair, home, runs));
    for (const { metric, ours, peer } of rows)
      progress(`${metric}: ${ours.toFixed(0)} ms, kubectl ${peer?.toFixed(0)} ms`);
    return rows;
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

async function measured(world: World, pair: Pair, home: string, runs: number): Promise<Row> {
  const path = [world.binaries, process.env.PATH ?? ''].join(delimiter);
  const env = { ...process.env, PATH: path, HOME: home, KUBECONFIG: world.kubeconfig, NO_COLOR: '1' };
  const sides = [
    { took: [] as number[], run: () => ran(process.execPath, ['dist/cutover.js', ...pair.ours], env, pair.ownCode) },
    { took: [] as number[], run: () => ran('kubectl', pair.kubectl, env, pair.code) },
  ] as const;
  // The first of each fills caches of files, and kubectl's of what the server has.
  for (const { run } of sides) await run();
  for (let round = 0; round < runs; round++) {
    for (const { took, run } of round % 2 === 0 ? sides : sides.toReversed()) took.push(await timed(run));
  }
  const [ours, theirs] = sides.map(({ took }) => took) as [number[], number[]];
  const ratio = median(ours.map((ms, round) => ms / (theirs[round] ?? Number.NaN)));
  const figure = { metric: `${pair.metric}, whole command`, unit: 'ms', ours: median(ours) };
  return ratioRow(figure, { name: `kubectl ${pair.kubectl[0]}`, value: median(theirs), ratio }, { most: pair.most });
}

async function ran(command: string, args: readonly string[], env: NodeJS.ProcessEnv, wanted: number): Promise<void> {
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stdout.resume();
  child.stderr.on('data', (text) => {
    said += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== wanted) throw new Error(`${command} ${args.join(' ')} ended with ${code}, not ${wanted}: ${said}`);
}
