import type { OperatorProcess } from '../flink/operator-process.ts';
import { Installed, type Values } from './installed.ts';
import { operatorProcesses } from './operator-processes.ts';

/** Values for what a process is told by flags: the families by name, the rest as they are. */
export function valuesOf(flags: readonly string[], flinkConfig: Values): Values {
  const chosen = flags.flatMap((flag, at) => (flag === '--family' ? [flags[at + 1] ?? ''] : []));
  const isOn = (family: string): boolean => (chosen.length === 0 ? family === 'flink' : chosen.includes(family));
  return {
    replicas: 1,
    logLevel: 'debug',
    families: { flink: isOn('flink'), cloudfoundry: isOn('cloudfoundry'), kudo: isOn('kudo') },
    flink: { config: flinkConfig },
    kudo: { packages: { bind: true } },
    extraArgs: flags.filter((flag, at) => flag !== '--family' && flags[at - 1] !== '--family'),
  };
}

/**
 * The operator that Helm has installed, in the place of one that a test would start as a process. With
 * `CUTOVER_INSTALLED=already` it is there, and taken as it is.
 */
export async function startInstalled(kubeconfig: string, values: Values): Promise<OperatorProcess> {
  const installed = await Installed.open(kubeconfig);
  if (process.env.CUTOVER_INSTALLED !== 'already') await installed.install(values);
  await scale(installed, 1);
  return {
    async kill() {
      for (const pid of operatorProcesses()) process.kill(pid, 'SIGKILL');
      await scale(installed, 0);
    },
    async decisions(controller) {
      const leader = await installed.leader();
      const where = `/api/v1/namespaces/${Installed.namespace}/pods/${leader}:8080/proxy/metrics`;
      return decisionsIn(await installed.kubectl(['get', '--raw', where]), controller);
    },
    trouble: () => undefined,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** Sets how many pods there are at least, and waits for them; for 0, until there is none. */
async function scale(installed: Installed, least: number): Promise<void> {
  const pods = await installed.pods();
  if (least === 0 || pods.length < least) {
    const deployment = ['deployment', Installed.release, '--namespace', Installed.namespace];
    await installed.kubectl(['scale', ...deployment, `--replicas=${least}`]);
  }
  await installed.untilReady(Math.max(least, (await installed.pods()).length));
}

/** How often a controller has decided, by the text of `/metrics`. */
export function decisionsIn(metrics: string, controller: string): number {
  return metrics
    .split('\n')
    .filter((line) => line.startsWith('cutover_reconcile_duration_seconds_count{'))
    .filter((line) => line.includes(`controller="${controller}"`))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}
