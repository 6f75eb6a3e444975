import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endingWithUs } from '../../rig/command.ts';
import { installPackages } from '../../rig/debian.ts';
import { cacheDirectory } from '../../rig/directories.ts';
import { type HeldCluster, holdCluster } from '../../rig/held.ts';
import { provide } from '../../rig/parts.ts';
import type { Progress } from '../../rig/progress.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import type { Suite } from './suite.ts';

/** Has the suite's parts ready, starts its cluster, runs its tests once, and ends what it started. */
export async function runSuite(suite: Suite, progress: Progress): Promise<Outcome> {
  let cluster: HeldCluster | undefined;
  try {
    await installPackages(suite.packages ?? [], progress);
    await provide(cacheDirectory(), suite.parts ?? [], progress);
    if (suite.cluster) {
      const { level, flags = [], prepare } = suite.cluster;
      cluster = await holdCluster(level, [...flags, ...((await prepare?.(progress)) ?? [])]);
    }
  } catch (error) {
    return { kind: 'skipped', reason: error instanceof Error ? error.message : String(error) };
  }
  try {
    return await runTests(suite, cluster);
  } finally {
    await cluster?.stop();
  }
}

async function runTests(suite: Suite, cluster: HeldCluster | undefined): Promise<Outcome> {
  const reports = await mkdtemp(join(tmpdir(), 'cutover-real-'));
  try {
    const report = join(reports, 'report.json');
    const vitest = [
      join('node_modules', 'vitest', 'vitest.mjs'),
      'run',
      `--config=${fileURLToPath(import.meta.resolve('./vitest.config.ts'))}`,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...suite.files,
    ];
    const [command, args] = cluster?.inside(process.execPath, vitest) ?? [process.execPath, vitest];
    const path = [...(cluster?.path ?? []), process.env.PATH ?? ''].join(delimiter);
    const kubeconfig = cluster ? { CUTOVER_KUBECONFIG: cluster.kubeconfig } : {};
    const tests = spawn(...endingWithUs(command, args), {
      cwd: join(import.meta.dirname, '..', '..'),
      env: { ...process.env, ...suite.env, ...kubeconfig, PATH: path },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const [code] = (await once(tests, 'close')) as [number | null];
    return outcomeOf(await readFile(report, 'utf8').catch(() => undefined), code);
  } finally {
    await rm(reports, { recursive: true, force: true });
  }
}
