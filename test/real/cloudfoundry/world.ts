import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { freePorts } from '../../../rig/ports.ts';
import { install } from '../../../src/cli/install.ts';
import { realClock } from '../../../src/clock/real.ts';
import { definitions } from '../../../src/cloudfoundry/family.ts';
import { installation } from '../../../src/cloudfoundry/install/installation.ts';
import { labels } from '../../../src/cloudfoundry/keys.ts';
import type { Pod, StatefulSet } from '../../../src/cloudfoundry/observe/kube-shapes.ts';
import { cfApp } from '../../../src/cloudfoundry/resources/cf-app.ts';
import { defaultSettings } from '../../../src/cloudfoundry/settings.ts';
import { Client } from '../../../src/kube/client.ts';
import { discover } from '../../../src/kube/discover.ts';
import { httpTransport } from '../../../src/kube/http-transport.ts';
import { kinds } from '../../../src/kube/kinds.ts';
import { findAccess } from '../../../src/kube/kubeconfig/find-access.ts';
import type { AnyObject, KubeObject } from '../../../src/kube/object.ts';
import { type OperatorProcess, startOperator } from '../flink/operator-process.ts';
import { until } from '../flink/until.ts';
import { CF_DOOR, openCfDoor } from '../installed/cf-door.ts';
import { startInstalled } from '../installed/start-installed.ts';
import { makeCertificate, statusOf } from './certificate.ts';
import { Cf, type CfOptions } from './cf.ts';
import { type ClusterUser, giveAccess } from './cluster-users.ts';

const OPERATOR: ClusterUser = { namespace: 'cutover-system', name: 'cutover' };
const root = defaultSettings.rootNamespace;
export const ADMIN: ClusterUser = { namespace: root, name: 'admin' };

/** An instance that ends answers for as long as it takes the node to hear of it, and no longer: the suite waits for each. */
export const SETTINGS = { runner: { preStopSeconds: 2 } } as const;

/** The same for the chart. */
export const cfValues = {
  cloudfoundry: {
    settings: SETTINGS,
    root: { admins: [{ kind: 'ServiceAccount', ...ADMIN }] },
    api: { tlsSecretName: CF_DOOR.secret },
  },
} as const;

interface Service extends KubeObject {
  readonly spec: { readonly clusterIP: string; readonly ports: readonly { readonly port: number }[] };
}

/**
 * A cluster on which Cutover is installed as its documentation says: the operator with the rights of its own role and no
 * others, and people who have only what is bound to them.
 */
export class CfWorld implements AsyncDisposable {
  readonly url: string;
  readonly client: Client;
  readonly #authority: string;
  readonly #kubeconfig: string;
  readonly #directory: string;
  readonly #operator: OperatorProcess;
  readonly #people: Cf[] = [];

  private constructor(parts: {
    url: string;
    authority: string;
    client: Client;
    kubeconfig: string;
    directory: string;
    operator: OperatorProcess;
  }) {
    this.url = parts.url;
    this.client = parts.client;
    this.#authority = parts.authority;
    this.#kubeconfig = parts.kubeconfig;
    this.#directory = parts.directory;
    this.#operator = parts.operator;
  }

  /** Installs Cutover on the cluster of a kubeconfig, whose user may do everything, and starts it. */
  static async open(kubeconfig: string): Promise<CfWorld> {
    const access = await findAccess({ kubeconfig, env: {}, clock: realClock });
    const client = new Client(httpTransport({ ...access, clock: realClock }), { userAgent: 'person' });
    const directory = mkdtempSync(join(tmpdir(), 'cutover-cf-world-'));
    const parts = { client, kubeconfig, directory };
    const world = new CfWorld({ ...parts, ...(await (process.env.CUTOVER_INSTALLED ? installed : asProcess)(parts)) });
    // Before it has seen the cluster it says that it is not available; then, that it does not know who asks.
    await world.until(
      'the API answers',
      () => statusOf(`${world.url}/whoami`),
      (status) => status === 401,
    );
    return world;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const person of this.#people) person[Symbol.dispose]();
    await this.#operator[Symbol.asyncDispose]();
    await this.client.close();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  /** The `cf` of an account, which is made for it. */
  async person(user: ClusterUser, heard?: CfOptions['heard']): Promise<Cf> {
    const kubeconfig = join(this.#directory, `${user.name}.kubeconfig`);
    await giveAccess(this.client, user, this.#kubeconfig, kubeconfig);
    const person = await Cf.open({ user: user.name, kubeconfig, authority: this.#authority, ...(heard && { heard }) });
    this.#people.push(person);
    return person;
  }

  /** The namespace of an app, by the name that people gave it. */
  async namespaceOf(app: string): Promise<string> {
    const { items } = await this.client.resource<AnyObject>(cfApp.type).list();
    const found = items.find(({ spec }) => (spec as { displayName?: string } | undefined)?.displayName === app);
    if (found === undefined) throw new Error(`there is no app ${app}`);
    return found.metadata.namespace ?? '';
  }

  /** Instances that nobody has asked to end, lowest number first. */
  async instances(namespace: string): Promise<readonly Pod[]> {
    const { items } = await this.client.resource<Pod>(kinds.pods).list({ namespace });
    const wanted = items.filter(({ metadata }) => {
      return metadata.deletionTimestamp === undefined && metadata.labels?.[labels.workloadGuid] !== undefined;
    });
    return wanted.sort((a, b) => ordinal(a) - ordinal(b));
  }

  async statefulSets(namespace: string): Promise<readonly StatefulSet[]> {
    return (await this.client.resource<StatefulSet>(kinds.statefulSets).list({ namespace })).items;
  }

  /** Waits for so many ready instances and no others, and returns which pods they are. */
  async untilInstances(namespace: string, number: number): Promise<readonly string[]> {
    const pods = await this.until(
      `${number} instances are ready`,
      () => this.instances(namespace),
      (found) => found.length === number && found.every(isReady),
    );
    return pods.map(({ metadata }) => metadata.uid ?? '');
  }

  /** Where those in the cluster reach an app. */
  async address(namespace: string): Promise<string> {
    const services = await this.until(
      'the route has a Service',
      async () => (await this.client.resource<Service>(kinds.services).list({ namespace })).items,
      (found) => found.length > 0,
    );
    const { clusterIP = '', ports = [] } = services[0]?.spec ?? {};
    return `http://${clusterIP}:${ports[0]?.port}/`;
  }

  /** The smallest number of ready instances that anybody saw while something was done. */
  async leastReady(namespace: string, done: () => Promise<unknown>): Promise<number> {
    const { items, metadata } = await this.client.resource<StatefulSet>(kinds.statefulSets).list({ namespace });
    const ended = new AbortController();
    let least = items[0]?.status?.readyReplicas ?? 0;
    let trouble: unknown;
    const watching = (async () => {
      const from = metadata.resourceVersion;
      const options = { namespace, signal: ended.signal, ...(from !== undefined && { resourceVersion: from }) };
      for await (const { type, object } of this.client.resource<StatefulSet>(kinds.statefulSets).watch(options)) {
        if (type === 'MODIFIED') least = Math.min(least, object.status?.readyReplicas ?? 0);
      }
    })().catch((error: unknown) => {
      if (!ended.signal.aborted) trouble = error;
    });
    try {
      await done();
    } finally {
      ended.abort();
      await watching;
    }
    if (trouble !== undefined) throw trouble;
    return least;
  }

  until<T>(what: string, look: () => T | Promise<T>, met: (seen: T) => boolean): Promise<T> {
    return until(what, look, met, () => this.#operator.trouble());
  }
}

interface Parts {
  readonly client: Client;
  readonly kubeconfig: string;
  readonly directory: string;
}

/** Where the API is, and who runs it. */
interface Door {
  readonly url: string;
  readonly authority: string;
  readonly operator: OperatorProcess;
}

/** The operator as a process, with the rights of its role. */
async function asProcess({ client, kubeconfig, directory }: Parts): Promise<Door> {
  await install(client, definitions(), AbortSignal.timeout(60_000));
  const admins = [{ kind: 'ServiceAccount', ...ADMIN }] as const;
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: OPERATOR.namespace } };
  for (const object of [namespace, ...installation(defaultSettings, { operator: OPERATOR, admins })]) {
    const type = await discover(client, object.apiVersion, object.kind);
    await client.resource(type).apply(object, { manager: 'person', force: true });
  }
  const own = join(directory, 'operator.kubeconfig');
  await giveAccess(client, OPERATOR, kubeconfig, own);
  const settings = join(directory, 'cloudfoundry.yaml');
  writeFileSync(settings, stringify(SETTINGS));
  const { directory: certificates, authority } = await makeCertificate(join(directory, 'certificates'));
  const [port = 0] = await freePorts(1);
  const operator = await startOperator(own, [
    ...['--family', 'cloudfoundry', '--cf-config', settings],
    ...['--cf-api-port', String(port), '--cf-api-host', '127.0.0.1', '--cf-api-certs', certificates],
  ]);
  return { url: `https://127.0.0.1:${port}`, authority, operator };
}

/** The operator as Helm installs it. */
async function installed({ client, kubeconfig, directory }: Parts): Promise<Door> {
  const { url, authority } = await openCfDoor(client, join(directory, 'certificates'));
  const operator = await startInstalled(kubeconfig, { families: { cloudfoundry: true, flink: false }, ...cfValues });
  return { url, authority, operator };
}

function isReady({ status }: Pod): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;
}

function ordinal({ metadata }: Pod): number {
  return Number(/\d+$/.exec(metadata.name ?? '')?.[0] ?? 0);
}
