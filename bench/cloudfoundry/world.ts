import { setTimeout as delay } from 'node:timers/promises';
import { type ControlPlane, type ControlPlaneOptions, startControlPlane } from '../../rig/control-plane.ts';
import { install } from '../../src/cli/install.ts';
import { realClock } from '../../src/clock/real.ts';
import { bounded } from '../../src/cloudfoundry/api/list-as.ts';
import { isReady } from '../../src/cloudfoundry/decide/conclude.ts';
import { definitions } from '../../src/cloudfoundry/family.ts';
import { installation } from '../../src/cloudfoundry/install/installation.ts';
import { roleNames } from '../../src/cloudfoundry/install/user-roles.ts';
import { processGuid } from '../../src/cloudfoundry/names.ts';
import { type CfApp, cfApp } from '../../src/cloudfoundry/resources/cf-app.ts';
import { cfBuild } from '../../src/cloudfoundry/resources/cf-build.ts';
import { cfOrg } from '../../src/cloudfoundry/resources/cf-org.ts';
import { cfProcess } from '../../src/cloudfoundry/resources/cf-process.ts';
import { cfSpace } from '../../src/cloudfoundry/resources/cf-space.ts';
import { defaultSettings } from '../../src/cloudfoundry/settings.ts';
import { Client } from '../../src/kube/client.ts';
import { discover } from '../../src/kube/discover.ts';
import { isKubeError } from '../../src/kube/error.ts';
import { httpTransport } from '../../src/kube/http-transport.ts';
import { kinds } from '../../src/kube/kinds.ts';
import { findAccess } from '../../src/kube/kubeconfig/find-access.ts';
import type { AnyObject } from '../../src/kube/object.ts';
import type { ResourceType } from '../../src/kube/resource-type.ts';
import { Wire } from './wire.ts';

const org = 'org';
const { rootNamespace } = defaultSettings;
const developer = { kind: 'ServiceAccount', namespace: rootNamespace, name: 'developer' };

/** Nothing here takes this long: whoever needs longer has failed. */
const patienceMs = 10 * 60_000;
/** How many objects are made at once. */
const lanes = 8;
const lookEveryMs = 20;
/** Whatever a write sets off has its next effect sooner. */
const quietMs = 200;

/** A real API server with simulated nodes, prepared for Cloud Foundry, and a person who has apps there. */
export class World implements AsyncDisposable {
  readonly client: Client;
  readonly kubeconfig: string;
  /** Straight to the API server: as an administrator, and once there are spaces, as a developer of them. */
  readonly admin: Wire;
  #developer: { readonly authorization: string; readonly wire: Wire } | undefined;
  readonly #plane: ControlPlane;

  private constructor(plane: ControlPlane, client: Client, admin: Wire) {
    this.#plane = plane;
    this.client = client;
    this.kubeconfig = plane.kubeconfig;
    this.admin = admin;
  }

  /** @param options how long pods take to be ready; by default no time */
  static async open(options: Pick<ControlPlaneOptions, 'podStartMs'> = {}): Promise<World> {
    const plane = await startControlPlane({ kwokNodes: 8, ...options });
    const access = await findAccess({ kubeconfig: plane.kubeconfig, env: {}, clock: realClock });
    const client = new Client(httpTransport({ ...access, clock: realClock }));
    const { certificate } = await access.identity.current();
    const admin = new Wire({ url: plane.url, tls: { ...access.tls, ...certificate } });
    await install(client, definitions(), AbortSignal.timeout(60_000));
    for (const object of installation(defaultSettings)) {
      const type = await discover(client, object.apiVersion, object.kind);
      await client.resource(type).apply(object, { manager: 'bench', force: true });
    }
    return new World(plane, client, admin);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#developer?.wire[Symbol.dispose]();
    this.admin[Symbol.dispose]();
    await this.client.close();
    await this.#plane.stop();
  }

  /** Makes spaces that the developer works in. The operator must run. */
  async furnish(spaces: readonly string[]): Promise<void> {
    await this.#create(cfOrg, rootNamespace, org, { displayName: org });
    await this.until('the organization', () => this.#isThere(kinds.namespaces, { name: org }));
    const { namespace, name } = developer;
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace, name } };
    await this.client.resource(kinds.serviceAccounts).create(account);
    for (const space of spaces) {
      await this.#create(cfSpace, org, space, { displayName: space });
      await this.until('the space', () =>
        this.#isThere(kinds.serviceAccounts, { namespace: space, name: 'korifi-app' }),
      );
      const binding = {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'RoleBinding',
        metadata: { namespace: space, name: developer.name },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: roleNames.space_developer },
        subjects: [developer],
      };
      await this.client.resource(kinds.roleBindings).create(binding as AnyObject);
    }
    const authorization = `Bearer ${await this.#token()}`;
    const { ca } = (await findAccess({ kubeconfig: this.kubeconfig, env: {}, clock: realClock })).tls ?? {};
    const wire = new Wire({ url: this.#plane.url, authorization, ...(ca !== undefined && { tls: { ca } }) });
    this.#developer = { authorization, wire };
  }

  get developer(): { readonly authorization: string; readonly wire: Wire } {
    if (!this.#developer) throw new Error('nothing is furnished yet');
    return this.#developer;
  }

  /** Apps with a droplet, as a push leaves them. */
  async push(space: string, names: readonly string[], desiredState: 'STARTED' | 'STOPPED' = 'STARTED'): Promise<void> {
    await bounded(names, lanes, async (name) => {
      const droplet = `${name}-droplet`;
      const lifecycle = { type: 'docker', data: {} };
      await this.#create(cfApp, space, name, {
        displayName: name,
        desiredState,
        lifecycle,
        currentDropletRef: { name: droplet },
      });
      await this.#create(cfBuild, space, droplet, {
        packageRef: { name: `${name}-package` },
        appRef: { name },
        lifecycle,
      });
      const status = { state: 'STAGED', droplet: { registry: { image: 'app:1' }, stack: '', ports: [8080] } };
      const body = { status };
      await this.client
        .resource(cfBuild.type)
        .status.patch({ namespace: space, name: droplet }, { type: 'merge', body });
    });
    await this.ready(space, names);
  }

  async scale(space: string, app: string, desiredInstances: number): Promise<void> {
    const body = { spec: { desiredInstances } };
    const name = processGuid(app, 'web');
    await this.client.resource(cfProcess.type).patch({ namespace: space, name }, { type: 'merge', body });
  }

  /** Until all of these apps are as they are wanted. */
  async ready(space: string, names: readonly string[]): Promise<void> {
    const wanted = new Set(names);
    const apps = this.client.resource<CfApp>(cfApp.type);
    const find = async (): Promise<readonly CfApp[]> => {
      if (names.length < 5) return await Promise.all(names.map((name) => apps.get({ namespace: space, name })));
      await delay(names.length);
      return (await apps.list({ namespace: space })).items;
    };
    await this.until('apps that are ready', async () => {
      const done = (await find()).filter((app) => wanted.has(app.metadata.name ?? '') && isReady(app));
      return done.length === wanted.size;
    });
  }

  /** Until these apps are ready and nobody has written of them for a while: nothing that follows from anything is left. */
  async quiet(space: string, names: readonly string[]): Promise<void> {
    const apps = this.client.resource<CfApp>(cfApp.type);
    const versions = async (): Promise<string> => {
      await this.ready(space, names);
      const found = await Promise.all(names.map((name) => apps.get({ namespace: space, name })));
      return found.map(({ metadata }) => metadata.resourceVersion).join();
    };
    for (let seen = ''; ; ) {
      const now = await versions();
      if (now === seen) return;
      seen = now;
      await delay(quietMs);
    }
  }

  async until(what: string, holds: () => Promise<boolean>): Promise<void> {
    const began = performance.now();
    while (!(await holds())) {
      if (performance.now() - began > patienceMs) throw new Error(`never came: ${what}`);
      await delay(lookEveryMs);
    }
  }

  async #create(
    kind: { readonly type: ResourceType; readonly apiVersion: string },
    namespace: string,
    name: string,
    spec: object,
  ): Promise<void> {
    const { apiVersion, type } = kind;
    await this.client
      .resource(type)
      .create({ apiVersion, kind: type.kind, metadata: { namespace, name }, spec } as AnyObject);
  }

  async #isThere(type: ResourceType, name: { readonly namespace?: string; readonly name: string }): Promise<boolean> {
    try {
      await this.client.resource(type).get(name);
      return true;
    } catch (error) {
      if (isKubeError(error, 'not-found')) return false;
      throw error;
    }
  }

  async #token(): Promise<string> {
    const { namespace, name } = developer;
    const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`;
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 7200 } };
    const { status } = await this.admin.send<{ readonly status: { readonly token: string } }>('POST', path, request);
    return status.token;
  }
}
