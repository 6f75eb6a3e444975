import * as http from 'node:http';
import { expect, vi } from 'vitest';
import { realRandom } from '../../src/clock/random.ts';
import { realClock } from '../../src/clock/real.ts';
import { Caches } from '../../src/control/caches.ts';
import type { Log } from '../../src/control/log.ts';
import { createMetrics } from '../../src/control/metrics.ts';
import { createEmbedded, type Embedded } from '../../src/embedded/embedded.ts';
import type { User } from '../../src/embedded/gate.ts';
import { Client } from '../../src/kube/client.ts';
import type { Identity } from '../../src/kube/identity.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import type { Request } from '../../src/kube/transport.ts';
import type { Session } from '../../src/portrait/wire.ts';
import { type Dashboard, type DashboardOptions, openDashboard } from '../../src/server/open-dashboard.ts';
import { withServerMetrics } from '../../src/server/server-metrics.ts';
import { boatDefinition, toys } from './boat.ts';

const people: Readonly<Record<string, User>> = {
  admin: { name: 'root', groups: ['system:masters', 'system:authenticated'] },
  ann: { name: 'ann', groups: ['system:authenticated'] },
  bob: { name: 'bob', groups: ['system:authenticated'] },
  eve: { name: 'eve', groups: ['system:authenticated'] },
};

export interface Reply {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  readonly body: unknown;
}

/** What a browser sends along. */
export interface Browser {
  readonly cookie?: string;
  readonly csrf?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A dashboard on a port of this machine, before a Kubernetes in this process where `admin`, `ann`, `bob` and `eve` have tokens. */
export class DashboardStage implements AsyncDisposable {
  readonly embedded: Embedded;
  readonly dashboard: Dashboard;
  /** What the cluster's administrator does. */
  readonly person: Client;
  readonly log: {
    readonly level: string;
    readonly fields: Readonly<Record<string, unknown>>;
    readonly message: string;
  }[] = [];
  /** Requests of the operator. */
  readonly requests: Request[] = [];
  port = 0;
  #admin: Browser | undefined;
  readonly #stop = new AbortController();
  readonly #open = new Set<http.ClientRequest>();

  private constructor(embedded: Embedded, options: Partial<DashboardOptions>) {
    this.embedded = embedded;
    this.person = new Client(embedded.transport());
    const log = this.#log();
    const transport = embedded.transport();
    const client = new Client({
      ...transport,
      request: (request) => {
        this.requests.push(request);
        return transport.request(request);
      },
    });
    const shared = { client, clock: realClock, random: realRandom, log };
    const metrics = withServerMetrics(createMetrics({ process: false }));
    const caches = new Caches({ ...shared, metrics, freeze: true });
    this.dashboard = openDashboard({
      ...shared,
      families: [toys],
      caches,
      metrics,
      clientFor: (identity) => new Client(embedded.transport(userOf(identity))),
      door: { port: 0 },
      once: { certificate: { cert: 'admin', key: '' } },
      assets: async () => ({
        'index.html': '<!doctype html><title>Cutover</title><script src="/app-0123abcd.js"></script>',
        'app-0123abcd.js': `console.log(${JSON.stringify('x'.repeat(2000))})`,
      }),
      version: '1.2.3',
      ...options,
    });
    caches.start(this.#stop.signal);
  }

  static async open(options: Partial<DashboardOptions> = {}, { ready = true } = {}): Promise<DashboardStage> {
    const tokens = Object.entries(people).map(([name, user]) => ({ token: `token-of-${name}`, user }));
    const embedded = await createEmbedded({ clock: realClock, random: realRandom, tokens, nodes: { count: 1 } });
    const first = new Client(embedded.transport());
    await first.resource<KubeObject>(kinds.customResourceDefinitions).create(boatDefinition);
    const stage = new DashboardStage(embedded, options);
    for (const namespace of ['north', 'south']) {
      await stage.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    }
    stage.port = (await stage.dashboard.serve()).port;
    if (!ready) return stage;
    const admin = await stage.login('admin');
    stage.#admin = admin;
    await vi.waitFor(async () => expect((await stage.get('/api/page?id=x', admin)).status).toBe(404), 10_000);
    return stage;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const request of this.#open) request.destroy();
    await this.dashboard.close();
    this.#stop.abort();
    await this.embedded.close();
    expect(this.log.filter(({ level }) => level === 'error')).toEqual([]);
  }

  async create(object: KubeObject): Promise<void> {
    const type = this.embedded.world.types().find((one) => one.kind === object.kind);
    await this.person.resource<KubeObject>(type ?? expect.fail(`no kind ${object.kind}`)).create(object);
  }

  /** Creates a workload, and waits until the dashboard knows it. */
  async launch(object: KubeObject): Promise<void> {
    await this.create(object);
    const { namespace, name } = object.metadata;
    const path = `/api/page?id=${object.kind}/${namespace}/${name}`;
    const admin = this.#admin ?? expect.fail('nobody waited until it was ready');
    await vi.waitFor(async () => expect((await this.get(path, admin)).status).toBe(200), {
      timeout: 10_000,
      interval: 10,
    });
  }

  /** Lets somebody do something in a namespace, or everywhere. */
  async grant(user: string, namespace: string | undefined, verbs: readonly string[], resource: string): Promise<void> {
    const [plural = '', group = ''] = resource.split(/\.(.*)/s);
    const name = `${user}-${realRandom.uuid()}`;
    const [role, binding] = namespace === undefined ? ['ClusterRole', 'ClusterRoleBinding'] : ['Role', 'RoleBinding'];
    const metadata = { name, ...(namespace !== undefined && { namespace }) };
    const apiVersion = 'rbac.authorization.k8s.io/v1';
    const rules = [{ apiGroups: [group], resources: [plural], verbs }];
    await this.create({ apiVersion, kind: role, metadata, rules } as KubeObject);
    const subjects = [{ kind: 'User', name: user, apiGroup: 'rbac.authorization.k8s.io' }];
    const roleRef = { kind: role, name, apiGroup: 'rbac.authorization.k8s.io' };
    await this.create({ apiVersion, kind: binding, metadata, subjects, roleRef } as KubeObject);
  }

  async login(name: string): Promise<Required<Pick<Browser, 'cookie' | 'csrf'>>> {
    const reply = await this.post('/api/login', { token: `token-of-${name}` });
    expect(reply.text).toContain('csrf');
    return { cookie: cookieOf(reply), csrf: (reply.body as Session).csrf };
  }

  get(path: string, browser: Browser = {}): Promise<Reply> {
    return this.send('GET', path, undefined, browser);
  }

  post(path: string, body: unknown, browser: Browser = {}): Promise<Reply> {
    return this.send('POST', path, JSON.stringify(body), browser);
  }

  send(method: string, path: string, body: string | undefined, browser: Browser): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const request = this.#request(method, path, browser, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const isJson = response.headers['content-type']?.startsWith('application/json');
          const status = response.statusCode ?? 0;
          resolve({
            status,
            headers: response.headers,
            text,
            body: isJson && text !== '' ? JSON.parse(text) : undefined,
          });
        });
      });
      request.on('error', reject);
      request.end(body);
    });
  }

  /** Opens something that does not end by itself. `slow`: reads nothing until it is told to. */
  follow(path: string, browser: Browser, slow = false): Followed {
    const followed = new Followed();
    const request = this.#request('GET', path, browser, (response) => followed.take(response, slow));
    request.on('error', () => undefined);
    followed.leave = () => request.destroy();
    request.end();
    return followed;
  }

  #request(
    method: string,
    path: string,
    { cookie, csrf, headers }: Browser,
    onResponse: (response: http.IncomingMessage) => void,
  ): http.ClientRequest {
    const sent = {
      ...(method === 'POST' && { 'content-type': 'application/json' }),
      ...(cookie !== undefined && { cookie }),
      ...(csrf !== undefined && { 'x-cutover-csrf': csrf }),
      ...headers,
    };
    const request = http.request({ host: '127.0.0.1', port: this.port, method, path, headers: sent, agent: false });
    this.#open.add(request);
    request.on('close', () => this.#open.delete(request));
    request.on('response', onResponse);
    return request;
  }

  #log(): Log {
    const say = (level: string) => (fields: Readonly<Record<string, unknown>>, message: string) =>
      void this.log.push({ level, fields, message });
    const log: Log = {
      debug: say('debug'),
      info: say('info'),
      warn: say('warn'),
      error: say('error'),
      child: () => log,
    };
    return log;
  }
}

/** An answer as it comes in. */
export class Followed {
  text = '';
  status = 0;
  ended = false;
  leave: () => void = () => undefined;
  #response: http.IncomingMessage | undefined;

  take(response: http.IncomingMessage, slow: boolean): void {
    this.#response = response;
    this.status = response.statusCode ?? 0;
    response.on('close', () => {
      this.ended = true;
    });
    response.on('error', () => undefined);
    if (!slow) this.read();
  }

  read(): void {
    this.#response?.on('data', (chunk: Buffer) => {
      this.text += chunk.toString();
    });
  }

  /** The messages of a stream of events. */
  get messages(): readonly { readonly event: string; readonly data: unknown }[] {
    return [...this.text.matchAll(/event: (\w+)\ndata: (.*)\n\n/g)].map(([, event = '', data = '']) => ({
      event,
      data: JSON.parse(data),
    }));
  }

  /** What was said under this name. */
  said(event: string): readonly unknown[] {
    return this.messages.filter((message) => message.event === event).map(({ data }) => data);
  }
}

export function cookieOf({ headers }: Reply): string {
  return (headers['set-cookie']?.[0] ?? '').split(';', 1)[0] ?? '';
}

function userOf({ authorization, certificate }: Identity): User {
  const name = certificate ? String(certificate.cert) : (authorization ?? '').replace('Bearer token-of-', '');
  return people[name] ?? expect.fail(`nobody has the credentials ${name}`);
}
