import type { Hono } from 'hono';
import { expect } from 'vitest';
import { seededRandom } from '../../src/clock/random.ts';
import { allRoutes } from '../../src/cloudfoundry/api/all-routes.ts';
import { openPlatform } from '../../src/cloudfoundry/api/open-platform.ts';
import type { CfEnv } from '../../src/cloudfoundry/api/platform.ts';
import { createCfApi } from '../../src/cloudfoundry/api/server.ts';
import { roleNames } from '../../src/cloudfoundry/install/user-roles.ts';
import { labels } from '../../src/cloudfoundry/keys.ts';
import { labelHash, processGuid } from '../../src/cloudfoundry/names.ts';
import { type CfApp, cfApp } from '../../src/cloudfoundry/resources/cf-app.ts';
import { type CfBuild, cfBuild } from '../../src/cloudfoundry/resources/cf-build.ts';
import { type CfDeployment, cfDeployment } from '../../src/cloudfoundry/resources/cf-deployment.ts';
import { cfOrg } from '../../src/cloudfoundry/resources/cf-org.ts';
import { type CfProcess, cfProcess } from '../../src/cloudfoundry/resources/cf-process.ts';
import { cfSpace } from '../../src/cloudfoundry/resources/cf-space.ts';
import { runnerInfo } from '../../src/cloudfoundry/resources/runner-info.ts';
import { Caches } from '../../src/control/caches.ts';
import { createMetrics } from '../../src/control/metrics.ts';
import type { User } from '../../src/embedded/gate.ts';
import { Client } from '../../src/kube/client.ts';
import { KubeError } from '../../src/kube/error.ts';
import type { AnyObject, KubeObject } from '../../src/kube/object.ts';
import type { ResourceType } from '../../src/kube/resource-type.ts';
import type { Request, Transport } from '../../src/kube/transport.ts';
import { openCluster } from '../stage/open-cluster.ts';
import { CloudFoundryStage } from './cloudfoundry-stage.ts';

/** Who asks: `dev` develops in space-1, `manager` manages it, `stranger` has space-2 to himself. */
export type Person = 'dev' | 'manager' | 'stranger';

/** What tests look at by name; everything else is compared as a whole. */
export interface AnswerBody {
  readonly errors: readonly [{ readonly code: number; readonly title: string; readonly detail: string }];
  readonly resources: readonly AnswerBody[];
  readonly guid: string;
  readonly name: string;
  readonly index: number;
  readonly state: string;
  readonly details: string | null;
  readonly status: { readonly value: string; readonly reason: string };
  readonly [field: string]: unknown;
}

export interface Answer {
  readonly status: number;
  readonly body: AnswerBody;
  readonly location: string | null;
}

const people: Readonly<Record<Person, readonly { readonly role: string; readonly namespace: string }[]>> = {
  dev: [
    { role: roleNames.space_developer, namespace: 'space-1' },
    { role: roleNames.organization_user, namespace: 'org-1' },
    { role: roleNames.cf_user, namespace: 'cf' },
  ],
  manager: [{ role: roleNames.space_manager, namespace: 'space-1' }],
  stranger: [{ role: roleNames.space_developer, namespace: 'space-2' }],
};

/**
 * The CF API on an embedded cluster where no controller runs: objects are what the test makes them. Callers have the rights
 * that their roles give them, and the API those of the operator.
 */
export class AppApiStage extends CloudFoundryStage {
  /** What callers and the API asked of Kubernetes: `PATCH /apis/…`. */
  readonly asked: string[] = [];
  /** Requests that are done, and whose answers are lost. */
  lost: (request: Request) => boolean = () => false;
  readonly #stop = new AbortController();
  #api: Hono<CfEnv> | undefined;

  static async open(): Promise<AppApiStage> {
    const cluster = await openCluster({ seed: 6, start: '2026-11-01T10:00:00Z', nodes: { count: 0 } });
    const stage = new AppApiStage(cluster, { patienceMs: 60_000, isBug: () => true });
    await stage.install();
    await stage.#furnish();
    await stage.#serve();
    return stage;
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await super[Symbol.asyncDispose]();
  }

  async request(method: string, path: string, options: { body?: unknown; as?: Person } = {}): Promise<Answer> {
    const { body, as = 'dev' } = options;
    const init = { method, headers: { authorization: `Bearer ${as}` } };
    const response = await this.#api?.request(
      `https://api.example${path}`,
      body === undefined ? init : { ...init, body: typeof body === 'string' ? body : JSON.stringify(body) },
    );
    if (!response) throw new Error('the API is not there');
    const text = await response.text();
    return {
      status: response.status,
      body: text ? JSON.parse(text) : undefined,
      location: response.headers.get('location'),
    };
  }

  async create<T extends KubeObject>(object: T): Promise<T> {
    const created = await this.person.resource<T>(this.typeOf(object)).create(object);
    const { status } = object as { status?: object };
    if (!status) return created;
    return await this.person.resource<T>(this.typeOf(object)).status.update({ ...created, status });
  }

  /** An app with a staged droplet and a web process, as controllers would have them. */
  async app(
    name: string,
    spec: Partial<CfApp['spec']> = {},
    metadata: Partial<KubeObject['metadata']> = {},
  ): Promise<CfApp> {
    const guid = `${name}-guid`;
    const app = await this.create<CfApp>({
      apiVersion: cfApp.apiVersion,
      kind: 'CFApp',
      metadata: {
        name: guid,
        namespace: 'space-1',
        ...metadata,
        labels: { [labels.guid]: guid, [labels.displayName]: labelHash(name), ...metadata.labels },
      },
      spec: {
        displayName: name,
        desiredState: 'STOPPED',
        lifecycle: { type: 'docker', data: {} },
        envSecretName: `${name}-env`,
        currentDropletRef: { name: `${name}-droplet` },
        ...spec,
      },
    });
    await this.build(app, `${name}-droplet`);
    await this.process(app);
    return app;
  }

  async build(app: CfApp, name: string, state: 'STAGED' | 'FAILED' = 'STAGED'): Promise<CfBuild> {
    const { name: guid = '', namespace = '' } = app.metadata;
    return await this.create<CfBuild>({
      apiVersion: cfBuild.apiVersion,
      kind: 'CFBuild',
      metadata: { name, namespace },
      spec: { packageRef: { name: 'package' }, appRef: { name: guid }, lifecycle: { type: 'docker', data: {} } },
      status: { state, ...(state === 'STAGED' && { droplet: { registry: { image: 'registry.example/app' } } }) },
    });
  }

  async process(app: CfApp, spec: Partial<CfProcess['spec']> = {}, status?: CfProcess['status']): Promise<CfProcess> {
    const { name: guid = '', namespace = '' } = app.metadata;
    const processType = spec.processType ?? 'web';
    const name = processGuid(guid, processType);
    return await this.create<CfProcess>({
      apiVersion: cfProcess.apiVersion,
      kind: 'CFProcess',
      metadata: {
        name,
        namespace,
        labels: { [labels.guid]: name, [labels.appGuid]: guid, [labels.processType]: processType },
      },
      spec: { appRef: { name: guid }, processType, desiredInstances: 1, memoryMB: 64, diskQuotaMB: 128, ...spec },
      ...(status && { status }),
    });
  }

  get(app: CfApp): CfApp {
    return this.find<CfApp>(cfApp.type, app.metadata.name ?? '');
  }

  deployment(guid: string): CfDeployment {
    return this.find<CfDeployment>(cfDeployment.type, guid);
  }

  web(app: CfApp): CfProcess {
    return this.find<CfProcess>(cfProcess.type, processGuid(app.metadata.name ?? '', 'web'));
  }

  find<T extends KubeObject = AnyObject>(type: ResourceType, name: string, namespace = 'space-1'): T {
    return this.embedded.world.get<T>(type, namespace, name) ?? expect.fail(`there is no ${type.kind} ${name}`);
  }

  async setStatus<T extends KubeObject>(type: ResourceType, object: T, status: object): Promise<void> {
    const { name = '', namespace = '' } = object.metadata;
    await this.person.resource(type).status.patch({ name, namespace }, { type: 'merge', body: { status } });
  }

  async #furnish(): Promise<void> {
    const namespaces = ['org-1', 'space-1', 'space-2'];
    for (const name of namespaces) await this.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    const place = (kind: typeof cfOrg | typeof cfSpace, namespace: string, name: string): AnyObject => ({
      apiVersion: kind.apiVersion,
      kind: kind.type.kind,
      metadata: { name, namespace },
      spec: { displayName: name },
    });
    await this.create(place(cfOrg, 'cf', 'org-1'));
    await this.create(place(cfSpace, 'org-1', 'space-1'));
    await this.create(place(cfSpace, 'org-1', 'space-2'));
    for (const [name, roles] of Object.entries(people)) {
      for (const { role, namespace } of roles) {
        await this.create({
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'RoleBinding',
          metadata: { name: `${name}-${role}`, namespace },
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
          subjects: [{ kind: 'User', name, apiGroup: 'rbac.authorization.k8s.io' }],
        } as AnyObject);
      }
    }
    const runner = { name: 'statefulset-runner', namespace: 'cf' };
    if (!this.embedded.world.get(runnerInfo.type, runner.namespace, runner.name)) {
      await this.create({
        apiVersion: runnerInfo.apiVersion,
        kind: 'RunnerInfo',
        metadata: runner,
        spec: { runnerName: runner.name },
      } as AnyObject);
    }
    await this.rolls(true);
  }

  /** What the runner says of itself; null takes it back, as before it was asked for the first time. */
  async rolls(rollingDeploy: boolean | null): Promise<void> {
    const body = { status: { capabilities: rollingDeploy === null ? null : { rollingDeploy } } };
    const name = { name: 'statefulset-runner', namespace: 'cf' };
    await this.person.resource(runnerInfo.type).status.patch(name, { type: 'merge', body });
  }

  async #serve(): Promise<void> {
    const { clock, settings, listening: log } = this;
    const client = this.#clientOf(this.operator, 'cutover');
    const random = seededRandom(7);
    const caches = new Caches({ client, clock, random, log, metrics: createMetrics({ process: false }), freeze: true });
    const platform = openPlatform(caches, { client, settings, clock, random, log });
    caches.start(this.#stop.signal);
    expect(await clock.runUntil(() => caches.unsynced().length === 0, 60_000)).toBe(true);
    const clients = new Map(
      Object.keys(people).map((name) => [name, this.#clientOf({ name, groups: ['system:authenticated'] }, name)]),
    );
    this.#api = createCfApi({
      platform,
      routes: allRoutes,
      credentials: {
        identify: async (authorization = '') => {
          const name = authorization.replace('Bearer ', '');
          const own = clients.get(name) ?? expect.fail(`nobody is called ${name}`);
          return { name, kind: 'User', groups: ['system:authenticated'], client: own };
        },
        forget: () => {},
        close: async () => {},
      },
    });
  }

  #clientOf(user: User, userAgent: string): Client {
    return new Client(this.#recorded(this.embedded.transport(user), userAgent), { clock: this.clock, userAgent });
  }

  #recorded(transport: Transport, who: string): Transport {
    return {
      ...transport,
      request: async (request: Request) => {
        if (!request.path.includes('watch=')) this.asked.push(`${who} ${request.method} ${request.path}`);
        const response = await transport.request(request);
        if (this.lost(request)) throw new KubeError('unreachable', 'the answer was lost');
        return response;
      },
    };
  }
}
