import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { stringify } from 'yaml';
import { endingWithUs } from '../rig/command.ts';
import { holdCluster } from '../rig/held.ts';
import { kinds } from '../src/kube/kinds.ts';
import type { AnyObject } from '../src/kube/object.ts';
import { apiVersionOf } from '../src/kube/resource-type.ts';
import { application } from '../test/real/flink/manifests.ts';
import { FlinkWorld } from '../test/real/flink/world.ts';
import { type Benchmark, type BenchmarkOptions, median, type Row, ratioRow } from './benchmark.ts';

/** What tells the run beside the cluster from the one that starts it: the cluster's network is its own. */
const kubeconfigVariable = 'CUTOVER_KUBECONFIG';
const name = 'orders';
const lookEveryMs = 100;

/** How long a real Flink application takes to run, of which most is Flink's own start. Needs root. */
export const flinkNode: Benchmark = {
  name: 'flink-node',
  about:
    'a native Flink application on a real node, created until STABLE; the floor applies the same objects by hand until all its tasks run',
  run: (options) => (process.env[kubeconfigVariable] === undefined ? besideCluster(options) : measure(options)),
};

/** Starts a cluster with Flink's image and this benchmark once more, beside it. */
async function besideCluster({ smoke, progress }: BenchmarkOptions): Promise<Row[]> {
  progress('starting a node');
  const cluster = await holdCluster('node', ['--image=flink-2.3']);
  const folder = await mkdtemp(join(tmpdir(), 'cutover-bench-'));
  try {
    const file = join(folder, 'rows.json');
    const again = [join(import.meta.dirname, 'run.ts'), flinkNode.name, '--json', file, ...(smoke ? ['--smoke'] : [])];
    const run = spawn(...endingWithUs(...cluster.inside(process.execPath, again)), {
      env: {
        ...process.env,
        [kubeconfigVariable]: cluster.kubeconfig,
        PATH: [...cluster.path, process.env.PATH ?? ''].join(delimiter),
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [code] = (await once(run, 'close')) as [number | null];
    if (code !== 0) throw new Error(`the run beside the cluster ended with ${code}`);
    return JSON.parse(await readFile(file, 'utf8')) as Row[];
  } finally {
    await rm(folder, { recursive: true, force: true });
    await cluster.stop();
  }
}

/** Ours and by hand in turn, so that both meet the same machine. The first of ours says what there is to apply. */
async function measure({ smoke, progress }: BenchmarkOptions): Promise<Row[]> {
  await using world = await FlinkWorld.open('flink-bench');
  const manifest = application(world.volume, { name, version: 'v2_3' }, { upgradeMode: 'savepoint' });
  const ours: number[] = [];
  const byHand: number[] = [];
  for (let round = 1; round <= (smoke ? 1 : 3); round++) {
    ours.push(await seconds(world, manifest, () => isStable(world)));
    const objects = await applicable(world);
    await world.remove(`flinkdeployment/${name}`);
    await untilGone(world);

    byHand.push(await seconds(world, objects.map((object) => stringify(object)).join('---\n'), () => allRun(world)));
    await world.remove(...objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`));
    await untilGone(world);
    progress(`round ${round}: ours ${ours.at(-1)?.toFixed(1)} s, by hand ${byHand.at(-1)?.toFixed(1)} s`);
  }
  const ratio = median(ours.map((time, index) => time / (byHand[index] ?? Number.NaN)));
  const figure = { metric: 'native application, until its tasks run', unit: 's', ours: median(ours) };
  return [ratioRow(figure, { name: 'applied by hand', value: median(byHand), ratio }, { most: 1.5 })];
}

async function seconds(world: FlinkWorld, manifest: string, done: () => Promise<boolean>): Promise<number> {
  const began = performance.now();
  await world.apply(manifest);
  while (!(await done())) await delay(lookEveryMs);
  return (performance.now() - began) / 1000;
}

async function isStable(world: FlinkWorld): Promise<boolean> {
  return (await world.read('flinkdeployment', name)).status?.lifecycleState === 'STABLE';
}

/** What a person would look at; until the JobManager listens there is no answer. */
async function allRun(world: FlinkWorld): Promise<boolean> {
  const answer = await world.flink(name, '/jobs/overview').catch(() => undefined);
  const { jobs = [] } = (answer ?? {}) as Overview;
  return jobs.some(({ tasks }) => tasks.total > 0 && tasks.running === tasks.total);
}

interface Overview {
  readonly jobs?: readonly { readonly tasks: { readonly total: number; readonly running: number } }[];
}

/** The objects of the cluster as somebody would write them down, in the order in which nothing waits for anything else. */
async function applicable(world: FlinkWorld): Promise<readonly (AnyObject & { readonly kind: string })[]> {
  const found: (AnyObject & { readonly kind: string })[] = [];
  for (const type of [kinds.configMaps, kinds.services, kinds.deployments]) {
    for (const object of await world.list(type, { app: name })) {
      const { metadata, status: _, ...rest } = object as AnyObject & { readonly status?: unknown };
      const { labels = {}, annotations = {} } = metadata;
      const { clusterIP, clusterIPs: __, ...spec } = (rest.spec ?? {}) as Record<string, unknown>;
      const headless = clusterIP === 'None' ? { clusterIP } : {};
      found.push({
        ...rest,
        apiVersion: apiVersionOf(type),
        kind: type.kind,
        metadata: { name: metadata.name ?? '', labels, annotations },
        ...('spec' in rest && { spec: { ...spec, ...headless } }),
      });
    }
  }
  return found;
}

async function untilGone(world: FlinkWorld): Promise<void> {
  while ((await world.list(kinds.pods, { app: name })).length > 0) await delay(lookEveryMs);
}
