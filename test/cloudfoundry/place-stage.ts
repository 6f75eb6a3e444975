import { expect } from 'vitest';
import { seededRandom } from '../../src/clock/random.ts';
import { VirtualClock } from '../../src/clock/virtual.ts';
import { cfDomainController } from '../../src/cloudfoundry/controllers/cf-domain.ts';
import { cfOrgController } from '../../src/cloudfoundry/controllers/cf-org.ts';
import { cfRouteController } from '../../src/cloudfoundry/controllers/cf-route.ts';
import { cfSpaceController } from '../../src/cloudfoundry/controllers/cf-space.ts';
import { type InstallationOptions, installation } from '../../src/cloudfoundry/install/installation.ts';
import { cloudFoundryKinds } from '../../src/cloudfoundry/resources/all.ts';
import { type CloudFoundrySettings, defaultSettings } from '../../src/cloudfoundry/settings.ts';
import type { Condition } from '../../src/control/conditions.ts';
import type { Log } from '../../src/control/log.ts';
import { createMetrics } from '../../src/control/metrics.ts';
import { type OperatorEnd, runOperator } from '../../src/control/operator.ts';
import { sealer } from '../../src/control/sealed.ts';
import { openPki, type Pki } from '../../src/embedded/auth/pki.ts';
import { createEmbedded, type Embedded } from '../../src/embedded/embedded.ts';
import type { User } from '../../src/embedded/gate.ts';
import { Client } from '../../src/kube/client.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { AnyObject, KubeObject } from '../../src/kube/object.ts';
import type { ResourceType } from '../../src/kube/resource-type.ts';
import type { Request, Transport } from '../../src/kube/transport.ts';
import { crd } from '../../src/schema/crd.ts';

const operator = { namespace: 'cutover', name: 'cutover' };

/** Whoever runs as an account, as the API server knows it. */
export function account(namespace: string, name: string): User {
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'];
  return { name: `system:serviceaccount:${namespace}:${name}`, groups };
}

/**
 * An embedded cluster with an installation of Cloud Foundry and the controllers of organizations, spaces, domains and
 * routes. They run with the rights of the operator's role and no others.
 */
export class PlaceStage implements AsyncDisposable {
  static #pki: Promise<Pki> | undefined;
  readonly clock: VirtualClock;
  readonly embedded: Embedded;
  readonly settings: CloudFoundrySettings;
  /** What a cluster's administrator does. */
  readonly person: Client;
  /** What the operator asked to be changed, `PUT /apis/…`; leases and events left out. */
  readonly writes: string[] = [];
  readonly #bugs: string[] = [];

  private constructor(clock: VirtualClock, embedded: Embedded, settings: CloudFoundrySettings) {
    this.clock = clock;
    this.embedded = embedded;
    this.settings = settings;
    this.person = new Client(embedded.transport(), { clock, userAgent: 'person' });
  }

  static async open(
    settings: Partial<CloudFoundrySettings> = {},
    options: InstallationOptions = {},
  ): Promise<PlaceStage> {
    const clock = new VirtualClock();
    PlaceStage.#pki ??= openPki({ clock });
    const random = seededRandom(6);
    const embedded = await createEmbedded({ clock, random, pki: await PlaceStage.#pki, nodes: { count: 0 } });
    const stage = new PlaceStage(clock, embedded, { ...defaultSettings, ...settings });
    for (const kind of cloudFoundryKinds) await stage.apply(crd(kind) as unknown as KubeObject);
    for (const object of installation(stage.settings, { operator, ...options })) await stage.apply(object);
    await clock.advance(100);
    return stage;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.embedded.close();
    expect(this.#bugs).toEqual([]);
  }

  /** Starts an operator. Returns the way to stop it. */
  start(): () => Promise<void> {
    const { clock, settings } = this;
    const stop = new AbortController();
    const user = account(operator.namespace, operator.name);
    const client = new Client(this.#recorded(this.embedded.transport(user)), { clock });
    const random = seededRandom(7);
    const given = { client, clock, random, settings, seal: sealer(new Uint8Array(32)) };
    let end: OperatorEnd | undefined;
    void runOperator({
      client,
      clock,
      random,
      log: this.#listening(),
      metrics: createMetrics({ process: false }),
      signal: stop.signal,
      instance: 'operator-0',
      freeze: true,
      controllers: {
        cforg: cfOrgController(given),
        cfspace: cfSpaceController(given),
        cfdomain: cfDomainController(given),
        cfroute: cfRouteController(given),
      },
    }).then((how) => {
      end = how;
    });
    return async () => {
      stop.abort();
      await clock.runUntil(() => end !== undefined, 60_000);
    };
  }

  /** Somebody who may do what RBAC says. */
  as(user: User): Client {
    return new Client(this.embedded.transport(user), { clock: this.clock, userAgent: user.name });
  }

  async apply(object: KubeObject): Promise<void> {
    await this.person.resource<KubeObject>(this.typeOf(object)).create(object);
  }

  find<T extends KubeObject = AnyObject>(
    type: ResourceType,
    namespace: string | undefined,
    name: string,
  ): T | undefined {
    return this.embedded.world.get<T>(type, namespace, name);
  }

  ready(type: ResourceType, namespace: string, name: string): Condition | undefined {
    const { status } = this.find<KubeObject & { status?: { conditions?: Condition[] } }>(type, namespace, name) ?? {};
    return status?.conditions?.find((condition) => condition.type === 'Ready');
  }

  async until(what: string, holds: () => boolean, ms = 60_000): Promise<void> {
    if (await this.clock.runUntil(holds, ms)) return;
    const present = cloudFoundryKinds.flatMap(({ type }) => this.embedded.world.list(type));
    expect.fail(`never came true: ${what}\n${JSON.stringify(present, undefined, 2)}`);
  }

  typeOf({ kind, apiVersion }: KubeObject): ResourceType {
    const types = [...this.embedded.world.types(), ...Object.values(kinds)];
    const group = apiVersion.includes('/') ? apiVersion.split('/')[0] : '';
    const found = types.find((type) => type.kind === kind && type.group === group);
    return found ?? expect.fail(`no kind ${kind} of ${apiVersion} is served here`);
  }

  #recorded(transport: Transport): Transport {
    return {
      ...transport,
      request: (request: Request) => {
        const { method, path } = request;
        if (method !== 'GET' && !/\/leases|\/events/.test(path))
          this.writes.push(`${method} ${path.replace(/\?.*$/, '')}`);
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
