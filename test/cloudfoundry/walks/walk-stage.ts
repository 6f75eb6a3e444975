import type { Hono } from 'hono';
import { expect } from 'vitest';
import { seededRandom } from '../../../src/clock/random.ts';
import { allRoutes } from '../../../src/cloudfoundry/api/all-routes.ts';
import { openPlatform } from '../../../src/cloudfoundry/api/open-platform.ts';
import type { CfEnv } from '../../../src/cloudfoundry/api/platform.ts';
import { createCfApi } from '../../../src/cloudfoundry/api/server.ts';
import { cloudFoundryControllers } from '../../../src/cloudfoundry/controllers.ts';
import { processGuid } from '../../../src/cloudfoundry/names.ts';
import { cfProcess } from '../../../src/cloudfoundry/resources/cf-process.ts';
import { Caches } from '../../../src/control/caches.ts';
import { createMetrics } from '../../../src/control/metrics.ts';
import { sealer } from '../../../src/control/sealed.ts';
import { Client } from '../../../src/kube/client.ts';
import { kinds } from '../../../src/kube/kinds.ts';
import type { Transport } from '../../../src/kube/transport.ts';
import { Process } from '../../simulation/process.ts';
import { WatchReplica } from '../../simulation/watch-replica.ts';
import { openCluster } from '../../stage/open-cluster.ts';
import type { OperatorProcess } from '../../stage/operator-process.ts';
import { AppStage, object, space } from '../app-stage.ts';

export const app = 'web';

/** What the API answered. */
interface Told {
  readonly status: number;
  readonly body: {
    readonly guid: string;
    readonly resources?: readonly Told['body'][];
    readonly status?: { readonly value: string; readonly reason: string };
  };
}

/**
 * An app with two processes, an operator that can die and whose watches can fall behind, and the API of another replica, which
 * does neither.
 */
export class WalkStage extends AppStage {
  readonly #end = new AbortController();
  #api: Hono<CfEnv> | undefined;
  #operator: { readonly process: OperatorProcess; readonly replica: WatchReplica } | undefined;
  #started = 0;
  #routes = 0;

  static override async open(): Promise<WalkStage> {
    const nodes = { count: 1, cpu: '64', memory: '256Gi' };
    const stage = new WalkStage(await openCluster({ seed: 6, start: '2026-11-01T10:00:00Z', nodes }), {
      patienceMs: 600_000,
    });
    await stage.install();
    await stage.clock.advance(100);
    await stage.#serve();
    stage.wake();
    await stage.#furnish();
    return stage;
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    await this.#operator?.process.stop();
    await super[Symbol.asyncDispose]();
  }

  /** Starts an operator, in another pod each time. */
  wake(): void {
    this.#started += 1;
    const random = seededRandom(100 + this.#started);
    const transport = this.embedded.transport(this.operator);
    const replica = new WatchReplica(transport, this.clock, new Process(this.clock), random);
    const seen: Transport = {
      ...transport,
      request: (request) => (/[?&]watch=/.test(request.path) ? replica.watch(request) : transport.request(request)),
    };
    const { settings } = this;
    const process = this.operate({
      transport: seen,
      random,
      instance: `operator-${this.#started}`,
      controllers: (given) => {
        const seal = sealer(new Uint8Array(32));
        const {
          cfbuild: _registry,
          cfpackage: _source,
          ...controllers
        } = cloudFoundryControllers({ ...given, settings, seal });
        return controllers;
      },
    });
    this.#operator = { process, replica };
  }

  /** The operator dies of its n-th write from now on, and another one is there some time later. */
  dieAt(write: number, downMs: number): void {
    const dying = this.#operator;
    dying?.process.dieAt(write);
    const look = (): void => {
      if (dying !== this.#operator || this.#end.signal.aborted) return;
      if (dying?.process.dead) this.clock.after(downMs, () => dying === this.#operator && this.wake());
      else this.clock.after(500, look);
    };
    look();
  }

  /** From now on it lives. */
  live(): void {
    this.#operator?.process.dieAt(Number.POSITIVE_INFINITY);
  }

  /** What happens reaches the operator only after this long. */
  freeze(ms: number): void {
    this.#operator?.replica.freeze(ms);
  }

  /** The operator is told an older state for a while. */
  rewind(): void {
    this.#operator?.replica.rewind();
  }

  /** Lets time pass until it has come to an end. */
  async during<T>(work: Promise<T>): Promise<T> {
    let over = false;
    const watched = work.finally(() => {
      over = true;
    });
    await this.clock.runUntil(() => over, 900_000);
    expect(over, 'somebody waits for ever').toBe(true);
    return await watched;
  }

  /** Sends a request, for which time may have to pass: see `during`. */
  async ask(method: string, path: string, body?: object): Promise<Told> {
    const init = { method, headers: { authorization: 'Bearer person', 'content-type': 'application/json' } };
    const response = await this.#api?.request(
      `https://api.example${path}`,
      body ? { ...init, body: JSON.stringify(body) } : init,
    );
    if (!response) expect.fail('the API is not there');
    const text = await response.text();
    expect(response.status, `${method} ${path}: ${text}`).toBeLessThan(500);
    return { status: response.status, body: text ? JSON.parse(text) : {} };
  }

  /** One more address leads to the app. */
  async mapRoute(): Promise<void> {
    this.#routes += 1;
    const name = `route-${this.#routes}`;
    const domainRef = { name: 'default-domain', namespace: 'cf' };
    const destinations = [{ guid: `destination-${this.#routes}`, appRef: { name: app }, processType: 'web' }];
    await this.apply(object('CFRoute', space, name, { host: name, domainRef, destinations }));
  }

  async #furnish(): Promise<void> {
    await this.apply(object('CFOrg', 'cf', 'org-1', { displayName: 'demo' }));
    await this.until('the organization', () => this.find(kinds.namespaces, undefined, 'org-1') !== undefined);
    await this.apply(object('CFSpace', 'org-1', space, { displayName: 'dev' }));
    await this.until('the space', () => this.find(kinds.serviceAccounts, space, 'korifi-app') !== undefined);
    await this.apply({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'env', namespace: space } });
    await this.push(app, { envSecretName: 'env' });
    await this.droplet('good', app, 'app:2');
    await this.droplet('broken', app, 'registry.invalid/app:3');
    const worker = { appRef: { name: app }, processType: 'worker', command: 'sleep 1000000', desiredInstances: 1 };
    await this.apply(object('CFProcess', space, processGuid(app, 'worker'), worker));
    await this.until('the web process', () => this.find(cfProcess.type, space, processGuid(app, 'web')) !== undefined);
    await this.scale(app, 2);
    await this.until('the app runs', () => this.ready(app) === 'True Ready');
  }

  async #serve(): Promise<void> {
    const { clock, settings, listening: log } = this;
    const client = new Client(this.embedded.transport(this.operator), { clock, userAgent: 'api' });
    const random = seededRandom(7);
    const caches = new Caches({ client, clock, random, log, metrics: createMetrics({ process: false }), freeze: true });
    const platform = openPlatform(caches, { client, settings, clock, random, log });
    caches.start(this.#end.signal);
    expect(await clock.runUntil(() => caches.unsynced().length === 0, 60_000)).toBe(true);
    this.#api = createCfApi({
      platform,
      routes: allRoutes,
      credentials: {
        identify: async () => ({ name: 'person', kind: 'User', groups: ['system:masters'], client: this.person }),
        forget: () => {},
        close: async () => {},
      },
    });
  }
}
