import { expect } from 'vitest';
import { seededRandom } from '../../src/clock/random.ts';
import { VirtualClock } from '../../src/clock/virtual.ts';
import { cloudFoundryControllers } from '../../src/cloudfoundry/controllers.ts';
import { definitions } from '../../src/cloudfoundry/family.ts';
import { installation } from '../../src/cloudfoundry/install/installation.ts';
import type { ImageFinding } from '../../src/cloudfoundry/ports/image-registry.ts';
import { cloudFoundryKinds } from '../../src/cloudfoundry/resources/all.ts';
import { type CloudFoundrySettings, defaultSettings } from '../../src/cloudfoundry/settings.ts';
import type { Conditions } from '../../src/control/conditions.ts';
import type { Log } from '../../src/control/log.ts';
import { createMetrics } from '../../src/control/metrics.ts';
import { type OperatorEnd, runOperator } from '../../src/control/operator.ts';
import { sealer } from '../../src/control/sealed.ts';
import { openPki, type Pki } from '../../src/embedded/auth/pki.ts';
import { createEmbedded, type Embedded } from '../../src/embedded/embedded.ts';
import { Client } from '../../src/kube/client.ts';
import { KubeError } from '../../src/kube/error.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { AnyObject, KubeObject } from '../../src/kube/object.ts';
import type { ResourceType } from '../../src/kube/resource-type.ts';
import type { Request, Transport } from '../../src/kube/transport.ts';
import { account } from './place-stage.ts';

const apiVersion = 'korifi.cloudfoundry.org/v1alpha1';
const operator = { namespace: 'cutover', name: 'cutover' };

/** The namespace of the space that everything here is in. */
export const space = 'space-1';

type Stated = KubeObject & { readonly status?: { readonly conditions?: Conditions } };

/** The whole family on an embedded cluster with an organization, a space, a stopped app, and images that say what they are told to. */
export class StagingStage implements AsyncDisposable {
  static #pki: Promise<Pki> | undefined;
  readonly clock: VirtualClock;
  readonly embedded: Embedded;
  readonly person: Client;
  /** What a registry answers, by image. Others cannot be reached. */
  readonly images = new Map<string, ImageFinding>();
  /** Which images were asked for, with how many credentials. */
  readonly asked: string[] = [];
  /** What the operator asked to be changed, `PUT /apis/…`; leases and events left out. */
  readonly writes: string[] = [];
  readonly #bugs: string[] = [];
  readonly #settings: CloudFoundrySettings;
  #stop: () => Promise<void> = async () => {};
  #isGone = (): boolean => false;

  private constructor(clock: VirtualClock, embedded: Embedded, settings: CloudFoundrySettings) {
    this.clock = clock;
    this.embedded = embedded;
    this.#settings = settings;
    this.person = new Client(embedded.transport(), { clock, userAgent: 'person' });
  }

  /** With an operator that runs, and an app that has never been pushed. */
  static async open(settings: Partial<CloudFoundrySettings> = {}): Promise<StagingStage> {
    const clock = new VirtualClock(Date.parse('2026-11-01T10:00:00Z'));
    StagingStage.#pki ??= openPki({ clock });
    const embedded = await createEmbedded({ clock, random: seededRandom(6), pki: await StagingStage.#pki });
    const stage = new StagingStage(clock, embedded, { ...defaultSettings, ...settings });
    for (const definition of definitions()) await stage.apply(definition);
    for (const object of installation(defaultSettings, { operator })) await stage.apply(object);
    await clock.advance(100);
    stage.start();
    await stage.make('CFOrg', 'org-1', { displayName: 'demo' }, 'cf');
    await stage.until('the organization', () => stage.find(kinds.namespaces, 'org-1', undefined) !== undefined);
    await stage.make('CFSpace', space, { displayName: 'dev' }, 'org-1');
    await stage.until('the space', () => stage.find(kinds.serviceAccounts, 'korifi-task') !== undefined);
    const lifecycle = { type: 'docker' };
    await stage.make('CFApp', 'app', { displayName: 'orders', desiredState: 'STOPPED', lifecycle });
    return stage;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.embedded.close();
    expect(this.#bugs).toEqual([]);
  }

  /** Starts an operator. Its process dies when that many of its writes were done, and learns nothing of the last. */
  start(diesAfter?: number): void {
    const { clock } = this;
    const stop = new AbortController();
    const user = account(operator.namespace, operator.name);
    const client = new Client(this.#recorded(this.embedded.transport(user), stop, diesAfter), { clock });
    const random = seededRandom(7);
    const registry = {
      read: async (image: string, configs: readonly unknown[]): Promise<ImageFinding> => {
        this.asked.push(`${image} ${configs.length}`);
        return this.images.get(image) ?? { read: false, why: 'nobody is there' };
      },
    };
    const options = { client, clock, random, settings: this.#settings, seal: sealer(new Uint8Array(32)), registry };
    let end: OperatorEnd | undefined;
    void runOperator({
      client,
      clock,
      random,
      log: this.#listening(),
      metrics: createMetrics({ process: false }),
      signal: stop.signal,
      instance: 'operator',
      freeze: true,
      controllers: cloudFoundryControllers(options),
    }).then((how) => {
      end = how;
    });
    this.#stop = async () => {
      stop.abort();
      await clock.runUntil(() => end !== undefined, 60_000);
      expect(end).toBe('stopped');
    };
    this.#isGone = () => end !== undefined;
  }

  /** Whether the operator that was started last is gone. */
  get isGone(): boolean {
    return this.#isGone();
  }

  /** Stops the operator; `start` starts another one. */
  stop(): Promise<void> {
    return this.#stop();
  }

  // What people do.

  async apply(object: KubeObject): Promise<void> {
    await this.person.resource<KubeObject>(this.#typeOf(object)).create(object);
  }

  async make(kind: string, name: string, spec: object, namespace = space): Promise<void> {
    await this.apply({ apiVersion, kind, metadata: { name, namespace }, ...{ spec } });
  }

  /** A docker package, and a build of it. */
  async push(name: string, image: string): Promise<void> {
    const appRef = { name: 'app' };
    await this.make('CFPackage', `${name}-package`, { type: 'docker', appRef, source: { registry: { image } } });
    const packageRef = { name: `${name}-package` };
    await this.make('CFBuild', name, { packageRef, appRef, lifecycle: { type: 'docker' } });
  }

  async edit(kind: string, name: string, body: object): Promise<void> {
    await this.person.resource(typeNamed(kind)).patch({ namespace: space, name }, { type: 'merge', body });
  }

  async tell(kind: string, name: string, status: object, namespace = space): Promise<void> {
    await this.person.resource(typeNamed(kind)).status.patch({ namespace, name }, { type: 'merge', body: { status } });
  }

  // What is to be seen.

  find<T extends KubeObject = AnyObject>(
    type: ResourceType,
    name: string,
    namespace: string | undefined = type.namespaced ? space : undefined,
  ): T | undefined {
    return this.embedded.world.get<T>(type, namespace, name);
  }

  names(kind: string): readonly string[] {
    return this.embedded.world.list(typeNamed(kind), { namespace: space }).map(({ metadata }) => metadata.name ?? '');
  }

  status(kind: string, name: string): NonNullable<AnyObject['status']> {
    return this.find(typeNamed(kind), name)?.status ?? {};
  }

  /** `True BuildSucceeded` */
  condition(kind: string, name: string, type: string): string {
    const found = this.find<Stated>(typeNamed(kind), name)?.status?.conditions?.find((one) => one.type === type);
    return found ? `${found.status} ${found.reason}` : '';
  }

  message(kind: string, name: string, type: string): string {
    const conditions = this.find<Stated>(typeNamed(kind), name)?.status?.conditions;
    return conditions?.find((one) => one.type === type)?.message ?? '';
  }

  async until(what: string, holds: () => boolean, ms = 120_000): Promise<void> {
    if (await this.clock.runUntil(holds, ms)) return;
    const types = [...cloudFoundryKinds.map(({ type }) => type), kinds.jobs, kinds.pods];
    const present = types.flatMap((type) => this.embedded.world.list(type, { namespace: space }));
    expect.fail(`never came true: ${what}\n${JSON.stringify(present, undefined, 1)}`);
  }

  #typeOf({ kind, apiVersion: version }: KubeObject): ResourceType {
    const group = version.includes('/') ? version.split('/')[0] : '';
    const types = [...this.embedded.world.types(), ...Object.values(kinds)];
    return types.find((type) => type.kind === kind && type.group === group) ?? expect.fail(`there is no kind ${kind}`);
  }

  #recorded(transport: Transport, process: AbortController, diesAfter?: number): Transport {
    const death = new AbortController();
    let written = 0;
    return {
      ...transport,
      request: async (request: Request) => {
        const { method, path } = request;
        death.signal.throwIfAborted();
        const write = method !== 'GET' && !/\/leases|\/events/.test(path);
        if (write) this.writes.push(`${method} ${path}`);
        const answer = await transport.request(request);
        if (write) written += 1;
        if (write && written === diesAfter) {
          death.abort(new KubeError('unreachable', 'the process has died'));
          process.abort();
        }
        death.signal.throwIfAborted();
        return answer;
      },
    };
  }

  #listening(): Log {
    const log: Log = {
      debug: () => {},
      info: () => {},
      warn: () => {},
      error: ({ error }, message) => {
        this.#bugs.push(`${message}: ${error instanceof Error ? error.stack : String(error)}`);
      },
      child: () => log,
    };
    return log;
  }
}

function typeNamed(kind: string): ResourceType {
  const types = [...cloudFoundryKinds.map(({ type }) => type), ...Object.values(kinds)];
  return types.find((type) => type.kind === kind) ?? expect.fail(`there is no kind ${kind}`);
}
