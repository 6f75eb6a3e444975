import { readFile, writeFile } from 'node:fs/promises';
import { connectApi } from './api.ts';
import { type Child, startChild } from './child.ts';
import {
  type Addresses,
  apiServerFlags,
  controllerManagerFlags,
  etcdFlags,
  kwokFlags,
  schedulerFlags,
} from './component-flags.ts';
import { cacheDirectory, runsDirectory } from './directories.ts';
import { writeKubeconfig } from './kubeconfig.ts';
import { kwokNode } from './kwok-node.ts';
import { withPodStart } from './kwok-stages.ts';
import { provide } from './parts.ts';
import { createPki, type Pki } from './pki.ts';
import { freePorts } from './ports.ts';
import { isAlive, type ProcessIdentity, residentBytes } from './process.ts';
import { type Progress, silent } from './progress.ts';
import { createRun, type Run } from './run.ts';

export interface ControlPlaneOptions {
  /** Name of the run; one that nobody has if missing. */
  readonly name?: string;
  /** Run controller-manager, scheduler and kwok too. Default true; without them objects are stored and nothing happens. */
  readonly controllers?: boolean;
  /** How many simulated nodes to make, named `kwok-0`, `kwok-1` … Default 0; needs `controllers`. */
  readonly kwokNodes?: number;
  /** How long a pod on such a node takes from being scheduled to being ready. Default: no time at all. */
  readonly podStartMs?: number;
  /** Let etcd wait for the disk. Default false: a rig's data does not outlive it. */
  readonly fsync?: boolean;
  /** More flags for the API server, for example `--feature-gates=…`; a flag given twice counts as given here. */
  readonly apiServerFlags?: readonly string[];
  readonly progress?: Progress;
}

/**
 * A real Kubernetes without nodes on free loopback ports. Needs no root.
 *
 * Guarantees: ready when returned; it ends with `stop`, and also when this process dies. Two of them share nothing.
 */
export interface ControlPlane {
  readonly run: Run;
  readonly url: string;
  /** File with the administrator's credentials. */
  readonly kubeconfig: string;
  /** Directory with `kubectl` and the other programs, for the front of `PATH`. */
  readonly binaries: string;
  readonly pki: Pki;
  /** From the start of etcd until the API server said it was ready. */
  readonly readyMs: number;
  /** The processes by name: `etcd`, `kube-apiserver` … */
  processes(): Readonly<Record<string, ProcessIdentity>>;
  /** Resident memory of etcd and the API server. */
  memoryBytes(): number;
  /**
   * Ends the API server and starts it again on the same port with the same data. `SIGKILL`, the default: at once.
   * `SIGTERM`: it takes its leave for five seconds; it would wait a minute for open watches.
   */
  restartApiServer(signal?: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  /** Resolves with a reason when a process ended that nobody asked to end. */
  readonly broken: Promise<string>;
  stop(): Promise<void>;
}

/** Where it runs, when not on loopback: the node level puts it on an address that pods can reach. */
export interface Place {
  readonly host: string;
}

const READY_WITHIN_MS = 120_000;
const POLITE_MS = 5000;
/** Ports are only free until somebody takes them; a start that lost its port is repeated with others. */
const PORT_ATTEMPTS = 3;

export async function startControlPlane(options: ControlPlaneOptions = {}, place?: Place): Promise<ControlPlane> {
  const progress = options.progress ?? silent;
  const parts = await provide(cacheDirectory(), ['kubernetes', 'kwok'], progress);
  for (let n = 1; ; n++) {
    const run = await createRun(runsDirectory(), place ? 'node' : 'control-plane', options.name);
    try {
      return await progress.step('starting the control plane', () => start(run, parts, options, place));
    } catch (error) {
      await run.remove();
      if (n === PORT_ATTEMPTS || !/address already in use/.test(String(error))) throw error;
    }
  }
}

async function start(
  run: Run,
  parts: { readonly kubernetes: string; readonly kwok: string },
  options: ControlPlaneOptions,
  place: Place | undefined,
): Promise<ControlPlane> {
  const [api = 0, etcdClient = 0, etcdPeer = 0, kwok = 0] = await freePorts(4);
  const at: Addresses = { host: place?.host ?? '127.0.0.1', api, etcdClient, etcdPeer, kwok };
  const url = `https://${at.host}:${at.api}`;
  const pki = await createPki(run.path('pki'), ['127.0.0.1', at.host, '10.96.0.1']);
  const kubeconfig = run.path('kubeconfig');
  await writeKubeconfig(kubeconfig, url, pki, 'admin');
  for (const client of ['controller-manager', 'scheduler', 'kubelet', 'proxy'] as const) {
    await writeKubeconfig(run.path('pki', `${client}.conf`), url, pki, client);
  }

  const children = new Map<string, Child>();
  const expected = new Set<Child>();
  let reportBroken: (reason: string) => void = () => {};
  const broken = new Promise<string>((resolve) => {
    reportBroken = resolve;
  });
  const launch = (name: string, command: string, args: readonly string[]): void => {
    const child = startChild(name, { command, args, cwd: run.directory, log: run.path('logs', `${name}.log`) });
    children.set(name, child);
    void child.ended.then((reason) => {
      if (!expected.has(child)) reportBroken(`${name} ended (${reason}):\n${child.logTail()}`);
    });
  };
  const end = async (name: string, graceMs: number): Promise<void> => {
    const child = children.get(name);
    if (child === undefined) return;
    expected.add(child);
    await child.stop(graceMs);
    children.delete(name);
  };
  /** Everything but etcd first: the API server does not end properly without it. */
  const stopProcesses = async (): Promise<void> => {
    await Promise.all(['kwok', 'kube-scheduler', 'kube-controller-manager'].map((name) => end(name, POLITE_MS)));
    await end('kube-apiserver', POLITE_MS);
    await end('etcd', POLITE_MS);
  };

  const client = connectApi(url, pki);
  const waitFor = async (what: string, path: string): Promise<void> => {
    const deadline = performance.now() + READY_WITHIN_MS;
    let last = 'no answer';
    for (;;) {
      const answer = await Promise.race([client.send('GET', path), broken]).catch((error: unknown) => String(error));
      if (typeof answer === 'object' && answer.status === 200) return;
      if (typeof answer === 'object') last = answer.body;
      else if ([...children.values()].some((child) => !isAlive(child.identity))) throw new Error(await broken);
      else last = answer;
      if (performance.now() > deadline) throw new Error(`${what} did not happen within two minutes: ${last}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const launchApiServer = (): void =>
    launch('kube-apiserver', `${parts.kubernetes}/kube-apiserver`, [
      ...apiServerFlags(at, pki, place !== undefined),
      ...(options.apiServerFlags ?? []),
    ]);

  try {
    const begin = performance.now();
    launch('etcd', `${parts.kubernetes}/etcd`, etcdFlags(at, run.path('data', 'etcd'), options.fsync ?? false));
    launchApiServer();
    await waitFor('the API server becoming ready', '/readyz');
    const readyMs = Math.round(performance.now() - begin);
    if (options.controllers ?? true) {
      // Only now: both end for good when the API server's bootstrap roles are not there yet.
      const manager = controllerManagerFlags(run.path('pki', 'controller-manager.conf'), pki);
      launch('kube-controller-manager', `${parts.kubernetes}/kube-controller-manager`, manager);
      const scheduler = schedulerFlags(run.path('pki', 'scheduler.conf'));
      launch('kube-scheduler', `${parts.kubernetes}/kube-scheduler`, scheduler);
      launch('kwok', `${parts.kwok}/kwok`, kwokFlags(at, kubeconfig, await stagesOf(run, parts.kwok, options)));
      await waitFor('the default service account', '/api/v1/namespaces/default/serviceaccounts/default');
      for (let n = 0; n < (options.kwokNodes ?? 0); n++) {
        const answer = await client.send('POST', '/api/v1/nodes', kwokNode(`kwok-${n}`));
        if (answer.status !== 201) throw new Error(`the node kwok-${n} was refused: ${answer.body}`);
      }
    }
    const processes = (): Record<string, ProcessIdentity> =>
      Object.fromEntries([...children].map(([name, child]) => [name, child.identity]));
    return {
      run,
      url,
      kubeconfig,
      binaries: parts.kubernetes,
      pki,
      readyMs,
      processes,
      broken,
      memoryBytes: () =>
        ['etcd', 'kube-apiserver'].reduce((sum, name) => {
          const child = children.get(name);
          return sum + (child ? residentBytes(child.identity) : 0);
        }, 0),
      async restartApiServer(signal = 'SIGKILL') {
        await end('kube-apiserver', signal === 'SIGKILL' ? 0 : POLITE_MS);
        launchApiServer();
        await waitFor('the API server becoming ready again', '/readyz');
      },
      async stop() {
        client.close();
        await stopProcesses();
        await run.remove();
      },
    };
  } catch (error) {
    client.close();
    await stopProcesses();
    throw error;
  }
}

/** The file with what kwok plays. */
async function stagesOf(run: Run, kwok: string, { podStartMs }: ControlPlaneOptions): Promise<string> {
  const published = `${kwok}/stages.yaml`;
  if (podStartMs === undefined) return published;
  const own = run.path('stages.yaml');
  await writeFile(own, withPodStart(await readFile(published, 'utf8'), podStartMs));
  return own;
}
