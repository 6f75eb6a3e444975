import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { endingWithUs } from '../rig/command.ts';
import { type HeldCluster, holdCluster } from '../rig/held.ts';
import type { Benchmark, BenchmarkOptions, Row } from './benchmark.ts';
import { measureSwitching } from './bluegreen/switching.ts';
import { measureTransition } from './bluegreen/whole-transition.ts';

/** What tells the run beside the node from the one that starts it: the node's network is its own. */
const kubeconfigVariable = 'CUTOVER_KUBECONFIG';

/** How fast traffic moves, on a real API server; and a whole transition with real Flink, where a node can run. */
export const bluegreen: Benchmark = {
  name: 'bluegreen',
  about:
    'FlinkBlueGreenDeployments move traffic to the other side; the floors write the Ingress and a status bare, and start the same pods by hand',
  async run(options) {
    if (process.env[kubeconfigVariable] !== undefined) return [...(await measureTransition(options))];
    return [...(await measureSwitching(options)), ...(await besideNode(options))];
  },
};

/** Starts a node with Flink's image, and this benchmark once more beside it. Without root there is no such figure. */
async function besideNode({ smoke, progress }: BenchmarkOptions): Promise<readonly Row[]> {
  progress('starting a node');
  let cluster: HeldCluster;
  try {
    cluster = await holdCluster('node', ['--image=flink-1.20']);
  } catch (error) {
    progress(`no whole transition: ${(error as Error).message}`);
    return [];
  }
  const folder = await mkdtemp(join(tmpdir(), 'cutover-bench-'));
  try {
    const file = join(folder, 'rows.json');
    const again = [join(import.meta.dirname, 'run.ts'), bluegreen.name, '--json', file, ...(smoke ? ['--smoke'] : [])];
    const run = spawn(...endingWithUs(...cluster.inside(process.execPath, again)), {
      env: {
        ...process.env,
        [kubeconfigVariable]: cluster.kubeconfig,
        PATH: [...cluster.path, process.env.PATH ?? ''].join(delimiter),
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [code] = (await once(run, 'close')) as [number | null];
    if (code !== 0) throw new Error(`the run beside the node ended with ${code}`);
    return JSON.parse(await readFile(file, 'utf8')) as Row[];
  } finally {
    await rm(folder, { recursive: true, force: true });
    await cluster.stop();
  }
}
