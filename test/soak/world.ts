import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Child, startChild } from '../../rig/child.ts';
import { runCommand } from '../../rig/command.ts';
import { freePorts } from '../../rig/ports.ts';
import { realClock } from '../../src/clock/real.ts';
import { Client } from '../../src/kube/client.ts';
import { httpTransport } from '../../src/kube/http-transport.ts';
import { kinds } from '../../src/kube/kinds.ts';
import { findAccess } from '../../src/kube/kubeconfig/find-access.ts';
import type { Sample } from './leak.ts';
import type { Deed } from './life.ts';

const root = join(import.meta.dirname, '..', '..');
/** Against what never ends; says nothing about speed. */
const patienceMs = 300_000;

/** A cluster with the samples of all families in it, and the operator beside it. */
export interface SoakWorld extends AsyncDisposable {
  /** Types a command, and waits until its workload says that all is well. Rejects when it does not. */
  does(deed: Deed): Promise<void>;
  /** What the operator holds now. */
  measured(): Promise<Omit<Sample, 'ms'>>;
  /** How many objects there are of the kinds that operators leave lying about. */
  census(): Promise<ReadonlyMap<string, number>>;
  /** What was said that should not have been said. */
  complaints(): readonly string[];
}

/**
 * `cutover start` puts the samples into a cluster that is kept in a directory; then the cluster and the operator run as
 * processes of their own, as in production, so that what the operator holds can be told from the rest.
 */
export async function openWorld(directory: string): Promise<SoakWorld> {
  const [port = 0, health = 0, cf = 0, dashboard = 0] = await freePorts(4);
  const kubeconfig = join(directory, 'kubeconfig');
  const cluster = ['--data', join(directory, 'data'), '--kubeconfig', kubeconfig, '--port', String(port)];
  const logs = { cluster: join(directory, 'cluster.log'), operator: join(directory, 'operator.log') };
  const started = (name: keyof typeof logs, args: readonly string[]): Child =>
    startChild(name, {
      command: process.execPath,
      args: [join(root, 'src', 'main.ts'), ...args],
      cwd: directory,
      log: logs[name],
    });
  const typed = (args: readonly string[]): Promise<string> =>
    runCommand(process.execPath, [join(root, 'src', 'main.ts'), ...args, '--kubeconfig', kubeconfig], {
      cwd: directory,
      env: { NO_COLOR: '1', KUBECONFIG: kubeconfig },
    });
  const well = (workload: readonly string[]): Promise<string> =>
    typed(['status', ...workload, '--timeout', `${patienceMs / 1000}s`]);

  const samples = started('cluster', [
    'start',
    ...cluster,
    ...['--cf-api-port', String(cf), '--dashboard-port', String(dashboard)],
  ]);
  for (const workload of [['bluegreen/orders'], ['instance/ledger'], ['app/hello', '-A']]) {
    await until(() => well(workload), samples);
  }
  await samples.stop(20_000);

  const children = [started('cluster', ['embedded', ...cluster])];
  const access = await findAccess({ kubeconfig, env: {}, clock: realClock });
  const client = new Client(httpTransport({ ...access, clock: realClock }), { userAgent: 'soak' });
  await until(() => client.resource(kinds.namespaces).list(), children[0] as Child);
  const operator = started('operator', [
    ...['operator', '--kubeconfig', kubeconfig, '--health-port', String(health)],
    ...['--dashboard-port', String(dashboard), '--cf-api-port', String(cf), '--cf-api-host', '127.0.0.1'],
  ]);
  children.push(operator);
  await until(() => reading(health), operator);

  return {
    async does({ command, status }) {
      await typed(command);
      await well(status);
    },
    measured: () => reading(health),
    async census() {
      const types = [
        kinds.pods,
        kinds.services,
        kinds.configMaps,
        kinds.secrets,
        kinds.deployments,
        kinds.statefulSets,
      ];
      const counted = types.map(async (type) => {
        return [type.plural, (await client.resource(type).list()).items.length] as const;
      });
      return new Map(await Promise.all(counted));
    },
    complaints: () => complaintsIn(readFileSync(logs.operator, 'utf8'), readFileSync(logs.cluster, 'utf8')),
    async [Symbol.asyncDispose]() {
      await client.close();
      for (const child of children.toReversed()) await child.stop(15_000);
    },
  };
}

async function reading(port: number): Promise<Omit<Sample, 'ms'>> {
  const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const value = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(page)?.[1] ?? Number.NaN);
  return {
    heapBytes: value('nodejs_heap_size_used_bytes'),
    residentBytes: value('process_resident_memory_bytes'),
    handles: value('nodejs_active_resources_total'),
  };
}

/** Lines of the operator that are errors, and what the cluster says beside its greeting. */
function complaintsIn(operator: string, cluster: string): readonly string[] {
  const errors = operator.split('\n').filter((line) => line !== '' && !/^\{"level":"(info|warn|debug)"/.test(line));
  const troubles = cluster.split('\n').filter((line) => line.startsWith('cutover: '));
  return [...errors, ...troubles].map((line) => line.slice(0, 500));
}

async function until(look: () => Promise<unknown>, needed: Child): Promise<void> {
  const deadline = performance.now() + patienceMs;
  const ended = needed.ended.then((reason) => new Error(`${needed.name} ended (${reason}):\n${needed.logTail()}`));
  for (;;) {
    const seen = await Promise.race([
      ended,
      look().then(
        () => undefined,
        (error: Error) => error,
      ),
    ]);
    if (seen === undefined) return;
    if (seen === (await Promise.race([ended, Promise.resolve(undefined)]))) throw seen;
    if (performance.now() > deadline) throw seen;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
