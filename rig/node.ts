import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '../src/kube/client.ts';
import { httpTransport } from '../src/kube/http-transport.ts';
import { fixedIdentity } from '../src/kube/identity.ts';
import { type Api, connectApi } from './api.ts';
import { createCgroups } from './cgroup.ts';
import { type Child, startChild } from './child.ts';
import { runCommand } from './command.ts';
import { type ContainerSpace, openContainerSpace } from './container-space.ts';
import { type ControlPlane, type ControlPlaneOptions, startControlPlane } from './control-plane.ts';
import { installPackages } from './debian.ts';
import { cacheDirectory } from './directories.ts';
import {
  cniConfig,
  containerdConfig,
  containerdSocket,
  corefile,
  dnsObjects,
  kubeletConfig,
  kubeProxyConfig,
  NETWORK_SET_UP,
  NODE_ADDRESS,
  NODE_NAME,
} from './node-config.ts';
import { enterOwnNetwork } from './own-network.ts';
import { type ImagePart, provide } from './parts.ts';
import { childrenOf, identify, type ProcessIdentity, programOf } from './process.ts';
import { silent } from './progress.ts';
import type { Cluster } from './serve.ts';
import { provisionVolumes } from './volumes.ts';

const PACKAGES = [
  'containerd',
  'runc',
  'containernetworking-plugins',
  'iptables',
  'nftables',
  'conntrack',
  'iproute2',
] as const;

const READY_WITHIN_MS = 120_000;

export interface NodeOptions extends ControlPlaneOptions {
  /** Parts whose images the node has from the start. Default none. */
  readonly images?: readonly ImagePart[];
  /** Archives of images that the node has besides. Default none. */
  readonly archives?: readonly string[];
}

/**
 * A real Kubernetes with one real node, in a network namespace of its own. Needs root, and Debian's containerd.
 *
 * This process moves into that namespace: what it starts, and only that, reaches the cluster.
 */
export async function startNode(options: NodeOptions): Promise<Cluster> {
  const progress = options.progress ?? silent;
  if (process.getuid?.() !== 0) throw new Error('the node level needs root');
  // Before entering: there is no way out afterwards.
  await installPackages(PACKAGES, progress);
  const parts = await provide(cacheDirectory(), ['kubernetes', 'kwok', 'coredns', 'images'], progress);
  const images = Object.values<string>(await provide(cacheDirectory(), options.images ?? [], progress));
  const archives = [...images.map((directory) => join(directory, 'image.tar')), ...(options.archives ?? [])];
  enterOwnNetwork();
  for (const [command = '', ...args] of NETWORK_SET_UP) await runCommand(command, args);
  await writeFile('/proc/sys/net/ipv4/ip_forward', '1');

  const plane = await startControlPlane(options, { host: NODE_ADDRESS });
  const api = connectApi(plane.url, plane.pki);
  const { certPem: cert, keyPem: key } = plane.pki.credentials('admin');
  const identity = fixedIdentity({ certificate: { cert, key } });
  const client = new Client(httpTransport({ server: plane.url, tls: { ca: plane.pki.caPem }, identity }));
  const provisioning = new AbortController();
  const started: Started = { children: [] };
  const stop = async (): Promise<void> => {
    started.stopping = true;
    api.close();
    provisioning.abort();
    await client.close();
    await started.space?.stop();
    await Promise.all(started.children.map((child) => child.stop(2000)));
    await plane.stop();
  };
  try {
    await progress.step('starting the node', () => startParts(plane, api, parts, archives, started));
    await provisionVolumes(client, plane.run.path('data', 'volumes'), provisioning.signal, progress);
    const processes = Object.fromEntries(started.children.map((child) => [child.name, programIdentity(child)]));
    const state = {
      name: plane.run.name,
      level: 'node' as const,
      holder: identify(process.pid) as ProcessIdentity,
      ready: {
        url: plane.url,
        kubeconfig: plane.kubeconfig,
        path: [plane.binaries],
        processes: { ...plane.processes(), ...processes },
        readyMs: plane.readyMs,
      },
    };
    await plane.run.save(state);
    return { state, broken: Promise.race([plane.broken, brokenPart(started)]), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Started {
  readonly children: Child[];
  space?: ContainerSpace;
  stopping?: boolean;
}

async function startParts(
  plane: ControlPlane,
  api: Api,
  parts: Readonly<Record<'kubernetes' | 'coredns' | 'images', string>>,
  moreArchives: readonly string[],
  started: Started,
): Promise<void> {
  const { run, pki } = plane;
  await createCgroups(run.name);
  await mkdir(run.path('conf', 'cni'), { recursive: true });
  await mkdir(run.path('logs', 'pods'));
  await writeFile(run.path('conf', 'containerd.toml'), containerdConfig(run));
  await writeFile(run.path('conf', 'cni', '10-rig.conflist'), cniConfig());
  await writeFile(run.path('conf', 'kubelet.yaml'), kubeletConfig(run, pki));
  await writeFile(run.path('conf', 'kube-proxy.yaml'), kubeProxyConfig(run));
  await writeFile(run.path('conf', 'Corefile'), corefile(plane.kubeconfig));
  await writeFile(run.path('conf', 'resolv.conf'), '');

  const space = await openContainerSpace(run, join(parts.images, 'pause'));
  started.space = space;
  const launch = (name: string, [command, args]: readonly [string, readonly string[]]): void => {
    const log = run.path('logs', `${name}.log`);
    started.children.push(startChild(name, { command, args, cwd: run.directory, log }));
  };
  const ctr = ['-a', containerdSocket(run), '-n', 'k8s.io'];

  launch(
    'containerd',
    space.inside('containerd', ['--config', run.path('conf', 'containerd.toml'), '--log-level=warn']),
  );
  await until('containerd answers', started, async () => {
    await runCommand('ctr', [...ctr, 'version']);
    return true;
  });
  const archives = ['pause', 'app', 'busybox'].map((name) => join(parts.images, `${name}.tar`));
  for (const archive of [...archives, ...moreArchives]) {
    const [command, args] = space.inside('ctr', [...ctr, 'images', 'import', archive]);
    await runCommand(command, args);
  }
  launch(
    'kubelet',
    space.inside(join(parts.kubernetes, 'kubelet'), [
      `--config=${run.path('conf', 'kubelet.yaml')}`,
      `--kubeconfig=${run.path('pki', 'kubelet.conf')}`,
      `--root-dir=${run.path('data', 'kubelet')}`,
      `--cert-dir=${run.path('data', 'kubelet', 'pki')}`,
      `--hostname-override=${NODE_NAME}`,
      `--node-ip=${NODE_ADDRESS}`,
      '--v=2',
    ]),
  );
  launch('kube-proxy', [
    join(parts.kubernetes, 'kube-proxy'),
    [`--config=${run.path('conf', 'kube-proxy.yaml')}`, '--v=1'],
  ]);
  for (const [path, object] of dnsObjects()) {
    const answer = await api.send('POST', path, object);
    if (answer.status !== 201) throw new Error(`the cluster's DNS could not be announced: ${answer.body}`);
  }
  launch('coredns', [join(parts.coredns, 'coredns'), ['-conf', run.path('conf', 'Corefile')]]);
  await until('the node is ready', started, async () => {
    const answer = await api.send('GET', `/api/v1/nodes/${NODE_NAME}`);
    if (answer.status !== 200) return false;
    const node = JSON.parse(answer.body) as { status: { conditions?: { type: string; status: string }[] } };
    return node.status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
  });
}

/** What runs in the container space is the only child of the `nsenter` that we started. */
function programIdentity(child: Child): ProcessIdentity {
  const program = programOf(child.identity.pid)?.endsWith('/nsenter') ? childrenOf(child.identity.pid)[0] : undefined;
  return (program === undefined ? undefined : identify(program)) ?? child.identity;
}

/** Waits for a condition, and fails at once, with its log, when a process ends meanwhile. */
async function until(what: string, started: Started, condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS;
  const broken = brokenPart(started);
  for (;;) {
    const met = await Promise.race([condition().catch(() => false), broken]);
    if (met === true) return;
    if (typeof met === 'string') throw new Error(met);
    if (performance.now() > deadline) throw new Error(`waited two minutes in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Resolves with a reason when a process of the node ended that nobody asked to end. */
function brokenPart(started: Started): Promise<string> {
  return new Promise((resolve) => {
    void started.space?.ended.then((reason) => started.stopping || resolve(`the container space ended (${reason})`));
    for (const child of started.children) {
      void child.ended.then((reason) => {
        if (!started.stopping) resolve(`${child.name} ended (${reason}):\n${child.logTail()}`);
      });
    }
  });
}
