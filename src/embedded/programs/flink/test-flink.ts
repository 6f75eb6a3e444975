import { seededRandom } from '../../../clock/random.ts';
import { VirtualClock } from '../../../clock/virtual.ts';
import { kinds } from '../../../kube/kinds.ts';
import { openPki, type Pki } from '../../auth/pki.ts';
import { createEmbedded, type Embedded } from '../../embedded.ts';
import type { Pod } from '../../kinds/objects/pod.ts';
import type { Reply } from '../../registry/test-server.ts';
import type { Audit } from './audit.ts';
import { FlinkWorld } from './flink-world.ts';
import type { Run } from './run.ts';

/** Which cluster a test wants. */
export interface ClusterSpec {
  readonly name: string;
  readonly mode?: 'application' | 'session';
  readonly resources?: 'native' | 'standalone';
  readonly configuration?: Readonly<Record<string, string>>;
  /** The job's own arguments. */
  readonly programArguments?: readonly string[];
  readonly annotations?: Readonly<Record<string, string>>;
  readonly image?: string;
  /** TaskManagers of a standalone cluster. */
  readonly taskManagers?: number;
  readonly replicas?: number;
}

const namespace = 'ns01';
const account = 'flink-runner';

/** An embedded cluster on a virtual clock, with hand-made Flink clusters in it: what tests of Flink speak to. */
export class TestFlink {
  static #pki: Promise<Pki> | undefined;
  readonly clock: VirtualClock;
  readonly world: FlinkWorld;
  readonly embedded: Embedded;
  readonly troubles: string[];

  private constructor(clock: VirtualClock, world: FlinkWorld, embedded: Embedded, troubles: string[]) {
    this.clock = clock;
    this.world = world;
    this.embedded = embedded;
    this.troubles = troubles;
  }

  /** `rights: false` leaves the ServiceAccount without any. */
  static async start({ rights = true, data }: { rights?: boolean; data?: string } = {}): Promise<TestFlink> {
    const flink = await TestFlink.open({ clock: new VirtualClock(), ...(data !== undefined && { data }) });
    await flink.create('/api/v1/namespaces', { metadata: { name: namespace } });
    await flink.create(`/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name: account } });
    if (rights) await flink.#grant();
    return flink;
  }

  /** With `data`, the storage is the durable one of that directory, and `world` knows nothing. */
  static async open({ clock, data }: { readonly clock: VirtualClock; readonly data?: string }): Promise<TestFlink> {
    TestFlink.#pki ??= openPki({ clock });
    const world = new FlinkWorld();
    const troubles: string[] = [];
    const embedded = await createEmbedded({
      clock,
      random: seededRandom(7),
      pki: await TestFlink.#pki,
      ...(data === undefined ? { nodes: { flink: world } } : { data }),
      trouble: (what, error) => void troubles.push(`${what}: ${String(error)}`),
    });
    await clock.advance(100);
    return new TestFlink(clock, world, embedded, troubles);
  }

  async #grant(): Promise<void> {
    const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`;
    await this.create(`${rbac}/roles`, {
      metadata: { name: 'flink' },
      rules: [
        { apiGroups: [''], resources: ['pods', 'configmaps'], verbs: ['*'] },
        { apiGroups: ['apps'], resources: ['deployments'], verbs: ['*'] },
      ],
    });
    await this.create(`${rbac}/rolebindings`, {
      metadata: { name: 'flink' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'flink' },
      subjects: [{ kind: 'ServiceAccount', name: account, namespace }],
    });
  }

  /** Makes the objects of a cluster, in the shape that an operator sends them. */
  async deploy(spec: ClusterSpec): Promise<void> {
    const { name, mode = 'application', resources = 'native', image = 'flink:1.20', annotations = {} } = spec;
    const programArguments = spec.programArguments ?? [];
    const type = resources === 'native' ? 'flink-native-kubernetes' : 'flink-standalone-kubernetes';
    const labels = { app: name, component: 'jobmanager', type };
    const configuration = {
      'blob.server.port': '6124',
      'jobmanager.rpc.address': `${name}.${namespace}`,
      'kubernetes.cluster-id': name,
      'kubernetes.namespace': namespace,
      'kubernetes.service-account': account,
      'kubernetes.container.image.ref': image,
      'parallelism.default': '2',
      'taskmanager.numberOfTaskSlots': '1',
      'kubernetes.taskmanager.cpu.amount': '0.5',
      'taskmanager.memory.process.size': '512 mb',
      'execution.shutdown-on-application-finish': 'false',
      'execution.checkpointing.externalized-checkpoint-retention': 'RETAIN_ON_CANCELLATION',
      'pipeline.name': name,
      '$internal.application.program-args': programArguments.join(';'),
      ...spec.configuration,
    };
    const lines = Object.entries(configuration).map(([key, value]) => `${key}: ${value}\n`);
    const apps = `/apis/apps/v1/namespaces/${namespace}/deployments`;
    const core = `/api/v1/namespaces/${namespace}`;
    const native = ['bash', '-c', `kubernetes-jobmanager.sh kubernetes-${mode} `];
    const standalone = mode === 'session' ? ['jobmanager'] : ['standalone-job', ...programArguments];
    await this.create(`${core}/configmaps`, {
      metadata: { name: `flink-config-${name}`, labels: { app: name, type } },
      data: { [/:2\./.test(image) ? 'config.yaml' : 'flink-conf.yaml']: lines.join('') },
    });
    const container = (args: readonly string[], port: { name: string; containerPort: number }): object => ({
      name: 'flink-main-container',
      image,
      command: ['/docker-entrypoint.sh'],
      args,
      env: [{ name: '_POD_IP_ADDRESS', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } }],
      ports: [port],
      volumeMounts: [{ name: 'flink-config-volume', mountPath: '/opt/flink/conf' }],
    });
    const template = (metadata: object, main: object): object => ({
      metadata,
      spec: {
        serviceAccountName: account,
        terminationGracePeriodSeconds: 30,
        containers: [main],
        volumes: [{ name: 'flink-config-volume', configMap: { name: `flink-config-${name}` } }],
      },
    });
    const jobManager = {
      ...container(resources === 'native' ? native : standalone, { name: 'rest', containerPort: 8081 }),
      startupProbe: { httpGet: { path: '/config', port: 'rest' }, periodSeconds: 1, failureThreshold: 2_147_483_647 },
    };
    await this.create(apps, {
      metadata: { name, labels },
      spec: {
        replicas: spec.replicas ?? 1,
        selector: { matchLabels: labels },
        template: template({ labels, annotations }, jobManager),
      },
    });
    await this.create(`${core}/services`, {
      metadata: { name, labels: { app: name, type } },
      spec: { clusterIP: 'None', selector: labels, ports: [{ name: 'jobmanager-rpc', port: 6123 }] },
    });
    await this.create(`${core}/services`, {
      metadata: { name: `${name}-rest`, labels: { app: name, type } },
      spec: { selector: labels, ports: [{ name: 'rest', port: 8081, targetPort: 8081 }] },
    });
    if (resources === 'native') return;
    const workers = { ...labels, component: 'taskmanager' };
    await this.create(apps, {
      metadata: { name: `${name}-taskmanager`, labels: workers },
      spec: {
        replicas: spec.taskManagers ?? 2,
        selector: { matchLabels: workers },
        template: template(
          { labels: workers },
          container(['taskmanager'], { name: 'taskmanager-rpc', containerPort: 6122 }),
        ),
      },
    });
  }

  /** Removes the Deployment, and waits for its pods to go. */
  async undeploy(name: string): Promise<void> {
    const core = `/api/v1/namespaces/${namespace}`;
    await this.kube('DELETE', `/apis/apps/v1/namespaces/${namespace}/deployments/${name}`);
    for (const service of [name, `${name}-rest`]) await this.kube('DELETE', `${core}/services/${service}`);
    await this.kube('DELETE', `${core}/configmaps/flink-config-${name}`);
    await this.until(`${name} is gone`, () => this.pods(name).length === 0);
  }

  /** The pod goes without a word, and the Deployment makes another. */
  async killJobManager(name: string): Promise<void> {
    const [pod] = this.pods(name, 'jobmanager');
    const path = `/api/v1/namespaces/${namespace}/pods/${pod?.metadata.name}`;
    await this.kube('DELETE', path, { gracePeriodSeconds: 0 });
    await this.until('another pod runs', () => {
      const [fresh] = this.pods(name, 'jobmanager').filter(({ metadata }) => metadata.uid !== pod?.metadata.uid);
      return fresh?.status?.phase === 'Running';
    });
  }

  pods(app: string, component?: string): readonly Pod[] {
    return this.embedded.world
      .list<Pod>(kinds.pods, { namespace })
      .filter(({ metadata: { labels = {} } }) => labels.app === app && (!component || labels.component === component));
  }

  configMap(name: string):
    | {
        readonly metadata: { annotations?: Record<string, string>; labels?: Record<string, string> };
        readonly data?: Record<string, string>;
      }
    | undefined {
    return this.embedded.world.get(kinds.configMaps, namespace, name) as ReturnType<TestFlink['configMap']>;
  }

  runs(cluster: string): readonly Run[] {
    return this.world.runs({ cluster: `${namespace}/${cluster}` });
  }

  audit(cluster: string): Audit {
    return this.world.audit({ cluster: `${namespace}/${cluster}` });
  }

  /** The cluster as `FlinkWorld` names it. */
  named(cluster: string): string {
    return `${namespace}/${cluster}`;
  }

  /** Asks a cluster's REST service, through the API server's proxy. */
  rest(
    cluster: string,
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
  ): Promise<Reply> {
    return this.kube(method, `/api/v1/namespaces/${namespace}/services/${cluster}-rest:rest/proxy${path}`, body);
  }

  /** Runs until the job is in a state; resolves to its line of the overview. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
  async job(cluster: string, state: string, ms = 120_000): Promise<any> {
    let last: unknown;
    for (let waited = 0; waited < ms; waited += 250) {
      const reply = await this.rest(cluster, 'GET', '/jobs/overview');
      last = reply.body;
      const found =
        reply.status === 200 ? reply.body.jobs.find((job: { state: string }) => job.state === state) : undefined;
      const total = found?.tasks?.total;
      if (found && (state !== 'RUNNING' || found.tasks.running === total)) return found;
      await this.clock.advance(250);
    }
    throw new Error(`never ${state}: ${JSON.stringify(last)}`);
  }

  /** Triggers a savepoint or stop and waits for its outcome. */
  async savepoint(
    cluster: string,
    job: string,
    body: object = {},
    verb: 'savepoints' | 'stop' = 'savepoints',
  ): Promise<Reply> {
    const { body: triggered } = await this.rest(cluster, 'POST', `/jobs/${job}/${verb}`, body);
    for (let tries = 0; tries < 100; tries++) {
      const reply = await this.rest(cluster, 'GET', `/jobs/${job}/savepoints/${triggered['request-id']}`);
      if (reply.body?.status?.id === 'COMPLETED') return reply;
      await this.clock.advance(100);
    }
    throw new Error(`savepoint ${triggered['request-id']} never ended`);
  }

  async until(what: string, holds: () => boolean, ms = 600_000): Promise<void> {
    if (!(await this.clock.runUntil(holds, ms))) throw new Error(`never came true: ${what}`);
  }

  async create(path: string, object: object): Promise<void> {
    const { status, text } = await this.kube('POST', path, object);
    if (status >= 300) throw new Error(`POST ${path}: ${text}`);
  }

  async kube(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    headers = {},
  ): Promise<Reply> {
    const response = await this.embedded.transport().request({
      method,
      path,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    let text = '';
    for await (const chunk of response.body) text += Buffer.from(chunk).toString('utf8');
    const isJson = response.headers['content-type']?.startsWith('application/json');
    return { status: response.status, headers: response.headers, text, body: isJson && text ? JSON.parse(text) : text };
  }

  async log(pod: string): Promise<string> {
    return (await this.kube('GET', `/api/v1/namespaces/${namespace}/pods/${pod}/log`)).text;
  }

  async close(): Promise<void> {
    await this.embedded.close();
  }
}
