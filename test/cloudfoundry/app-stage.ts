import { expect } from 'vitest';
import { seededRandom } from '../../src/clock/random.ts';
import { VirtualClock } from '../../src/clock/virtual.ts';
import { cloudFoundryControllers } from '../../src/cloudfoundry/controllers.ts';
import { installation } from '../../src/cloudfoundry/install/installation.ts';
import { processGuid } from '../../src/cloudfoundry/names.ts';
import { cloudFoundryKinds } from '../../src/cloudfoundry/resources/all.ts';
import { type AppWorkload, appWorkload } from '../../src/cloudfoundry/resources/app-workload.ts';
import { type CfApp, cfApp } from '../../src/cloudfoundry/resources/cf-app.ts';
import { cfBuild } from '../../src/cloudfoundry/resources/cf-build.ts';
import { cfProcess } from '../../src/cloudfoundry/resources/cf-process.ts';
import { defaultSettings } from '../../src/cloudfoundry/settings.ts';
import type { Condition } from '../../src/control/conditions.ts';
import type { Log } from '../../src/control/log.ts';
import { createMetrics } from '../../src/control/metrics.ts';
import { type OperatorEnd, runOperator } from '../../src/control/operator.ts';
import { sealer } from '../../src/control/sealed.ts';
import { openPki, type Pki } from '../../src/embedded/auth/pki.ts';
import { createEmbedded, type Embedded } from '../../src/embedded/embedded.ts';
import { Client } from '../../src/kube/client.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { AnyObject, KubeObject } from '../../src/kube/object.ts';
import type { ResourceType } from '../../src/kube/resource-type.ts';
import type { Request, Transport } from '../../src/kube/transport.ts';
import { crd } from '../../src/schema/crd.ts';
import { account } from './place-stage.ts';

const apiVersion = 'korifi.cloudfoundry.org/v1alpha1';
const operator = { namespace: 'cutover', name: 'cutover' };

export const space = 'space-1';

/** The whole family on an embedded cluster with nodes, an organization and a space; people use `kubectl`. */
export class AppStage implements AsyncDisposable {
  static #pki: Promise<Pki> | undefined;
  readonly clock: VirtualClock;
  readonly embedded: Embedded;
  readonly person: Client;
  /** What the operator asked to be changed, `PUT /apis/…`; leases and events left out. */
  readonly writes: string[] = [];
  readonly #bugs: string[] = [];
  #seed = 7;

  private constructor(clock: VirtualClock, embedded: Embedded) {
    this.clock = clock;
    this.embedded = embedded;
    this.person = new Client(embedded.transport(), { clock, userAgent: 'person' });
  }

  static async open(): Promise<AppStage> {
    const clock = new VirtualClock(Date.parse('2026-11-01T10:00:00Z'));
    AppStage.#pki ??= openPki({ clock });
    const embedded = await createEmbedded({ clock, random: seededRandom(6), pki: await AppStage.#pki });
    const stage = new AppStage(clock, embedded);
    for (const kind of cloudFoundryKinds) await stage.apply(crd(kind) as unknown as KubeObject);
    for (const object of installation(defaultSettings, { operator })) await stage.apply(object);
    await clock.advance(100);
    return stage;
  }

  /** A cluster on which an operator runs, and a space is there. */
  static async running(): Promise<{ stage: AppStage; stop: () => Promise<void> }> {
    const stage = await AppStage.open();
    const stop = stage.start();
    await stage.apply(object('CFOrg', 'cf', 'org-1', { displayName: 'demo' }));
    await stage.until('the organization', () => stage.find(kinds.namespaces, undefined, 'org-1') !== undefined);
    await stage.apply(object('CFSpace', 'org-1', space, { displayName: 'dev' }));
    await stage.until('the space', () => {
      return stage.find(kinds.serviceAccounts, space, 'korifi-app') !== undefined;
    });
    return { stage, stop };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.embedded.close();
    expect(this.#bugs).toEqual([]);
  }

  /** Starts an operator. Returns the way to stop it. */
  start(): () => Promise<void> {
    const { clock } = this;
    const stop = new AbortController();
    const user = account(operator.namespace, operator.name);
    const client = new Client(this.#recorded(this.embedded.transport(user)), { clock });
    this.#seed += 1;
    const random = seededRandom(this.#seed);
    const seal = sealer(new Uint8Array(32));
    const {
      cfbuild: _registry,
      cfpackage: _source,
      ...controllers
    } = cloudFoundryControllers({
      client,
      clock,
      random,
      settings: defaultSettings,
      seal,
    });
    let end: OperatorEnd | undefined;
    void runOperator({
      client,
      clock,
      random,
      log: this.#listening(),
      metrics: createMetrics({ process: false }),
      signal: stop.signal,
      instance: `operator-${this.#seed}`,
      freeze: true,
      controllers,
    }).then((how) => {
      end = how;
    });
    return async () => {
      stop.abort();
      await clock.runUntil(() => end !== undefined, 60_000);
    };
  }

  // What people do.

  async apply(given: KubeObject): Promise<void> {
    await this.person.resource<KubeObject>(this.#typeOf(given)).create(given);
  }

  /** An app with a droplet of this image, as a person would apply it. */
  async push(name: string, spec: Partial<CfApp['spec']> = {}): Promise<void> {
    await this.droplet(`${name}-droplet`, name, 'app:1');
    const lifecycle = { type: 'docker' };
    const currentDropletRef = { name: `${name}-droplet` };
    await this.apply(
      object('CFApp', space, name, {
        displayName: name,
        desiredState: 'STARTED',
        lifecycle,
        currentDropletRef,
        ...spec,
      }),
    );
  }

  async droplet(name: string, app: string, image: string): Promise<void> {
    const refs = { packageRef: { name: 'package' }, appRef: { name: app }, lifecycle: { type: 'docker' } };
    await this.apply(object('CFBuild', space, name, refs));
    const body = { status: { state: 'STAGED', droplet: { registry: { image }, stack: '', ports: [8080] } } };
    await this.person.resource(cfBuild.type).status.patch({ namespace: space, name }, { type: 'merge', body });
  }

  async edit(name: string, body: object): Promise<void> {
    await this.person.resource(cfApp.type).patch({ namespace: space, name }, { type: 'merge', body });
  }

  async scale(app: string, desiredInstances: number): Promise<void> {
    const body = { spec: { desiredInstances } };
    const name = processGuid(app, 'web');
    await this.person.resource(cfProcess.type).patch({ namespace: space, name }, { type: 'merge', body });
  }

  // What is to be seen.

  app(name: string): CfApp {
    return this.find<CfApp>(cfApp.type, space, name) ?? expect.fail(`there is no app ${name}`);
  }

  /** `True Ready` */
  ready(name: string): string {
    const ready = this.app(name).status?.conditions?.find((condition: Condition) => condition.type === 'Ready');
    return `${ready?.status} ${ready?.reason}`;
  }

  workloads(): readonly AppWorkload[] {
    return this.embedded.world.list<AppWorkload>(appWorkload.type, { namespace: space });
  }

  pods(): readonly KubeObject[] {
    return this.embedded.world.list(kinds.pods, { namespace: space });
  }

  find<T extends KubeObject = AnyObject>(
    type: ResourceType,
    namespace: string | undefined,
    name: string,
  ): T | undefined {
    return this.embedded.world.get<T>(type, namespace, name);
  }

  async until(what: string, holds: () => boolean, ms = 300_000): Promise<void> {
    if (await this.clock.runUntil(holds, ms)) return;
    const types = [...cloudFoundryKinds.map(({ type }) => type), kinds.statefulSets, kinds.pods];
    const present = types.flatMap((type) => this.embedded.world.list(type, { namespace: space }));
    expect.fail(`never came true: ${what}\n${JSON.stringify(present, undefined, 1)}`);
  }

  #typeOf({ kind, apiVersion: version }: KubeObject): ResourceType {
    const types = [...this.embedded.world.types(), ...Object.values(kinds)];
    const group = version.includes('/') ? version.split('/')[0] : '';
    const found = types.find((type) => type.kind === kind && type.group === group);
    return found ?? expect.fail(`no kind ${kind} of ${version} is served here`);
  }

  #recorded(transport: Transport): Transport {
    return {
      ...transport,
      request: (request: Request) => {
        const { method, path } = request;
        if (method !== 'GET' && !/\/leases|\/events/.test(path)) {
          this.writes.push(`${method} ${path.replace(/\?.*$/, '')}`);
        }
        return transport.request(request);
      },
    };
  }

  #listening(): Log {
    const log: Log = {
      debug: () => {},
      info: () => {},
      warn: () => {},
      error: ({ error }, message) => {
        if (message.startsWith('a bug')) this.#bugs.push(`${message}: ${(error as Error)?.stack ?? String(error)}`);
      },
      child: () => log,
    };
    return log;
  }
}

export function object(kind: string, namespace: string, name: string, spec: object): KubeObject {
  return { apiVersion, kind, metadata: { name, namespace }, ...{ spec } };
}
