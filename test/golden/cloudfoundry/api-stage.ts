import type { Hono } from 'hono';
import { expect } from 'vitest';
import { allRoutes } from '../../../src/cloudfoundry/api/all-routes.ts';
import { createCredentials } from '../../../src/cloudfoundry/api/credentials.ts';
import { openPlatform } from '../../../src/cloudfoundry/api/open-platform.ts';
import type { CfEnv, Platform } from '../../../src/cloudfoundry/api/platform.ts';
import { createCfApi } from '../../../src/cloudfoundry/api/server.ts';
import { cloudFoundryControllers } from '../../../src/cloudfoundry/controllers.ts';
import { defaultSettings } from '../../../src/cloudfoundry/settings.ts';
import type { Caches } from '../../../src/control/caches.ts';
import type { Fields, Log } from '../../../src/control/log.ts';
import { Client } from '../../../src/kube/client.ts';
import type { Json } from '../../../src/kube/object.ts';
import { CloudFoundryStage } from '../../cloudfoundry/cloudfoundry-stage.ts';
import { account } from '../../stage/account.ts';
import { type Cluster, openCluster } from '../../stage/open-cluster.ts';
import type { OperatorProcess } from '../../stage/operator-process.ts';

const { rootNamespace } = defaultSettings;

/** The users of the recordings: service accounts, known by a token. */
const people = ['cf-admin', 'nobody', 'dev'] as const;
const tokens = people.map((name) => ({ token: `token-of-${name}`, user: account(rootNamespace, name) }));
const anonymous = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

/** What came back. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Decoded JSON, text that is none, or `null`. */
  readonly body: Json;
}

/** The API on an embedded Kubernetes with all controllers of the family, three people and a clock that stands still. */
export class ApiStage extends CloudFoundryStage {
  /** All that was logged, one line each. */
  readonly log: string[] = [];
  #served: Served | undefined;

  private constructor(cluster: Cluster) {
    super(cluster, { patienceMs: 60_000, settings: { version: 'v0.18.0', apiUrl: 'https://api.example' } });
  }

  static async open(): Promise<ApiStage> {
    const nodes = { count: 1, cpu: '64', memory: '256Gi' };
    const stage = new ApiStage(await openCluster({ seed: 2, nodes, tokens }));
    await stage.install({ admins: [{ kind: 'ServiceAccount', name: 'cf-admin', namespace: rootNamespace }] });
    await stage.#serve();
    return stage;
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    const { process, credentials } = this.#served ?? {};
    await process?.stop();
    await credentials?.close();
    await super[Symbol.asyncDispose]();
    expect(this.log.filter((line) => line.includes('a bug:'))).toEqual([]);
  }

  get api(): Hono<CfEnv> {
    return this.#there.api;
  }

  get platform(): Platform {
    return this.#there.platform;
  }

  get #there(): Served {
    return this.#served ?? expect.fail('the API is not there');
  }

  /** Starts an operator; what it knows of the cluster, the API knows. */
  async #serve(): Promise<void> {
    const { clock } = this;
    const log = listening(this.log);
    let known: { readonly platform: Platform; readonly client: Client } | undefined;
    const process = this.run(
      (given) => {
        const { cforg, ...controllers } = cloudFoundryControllers(given);
        const open = (caches: Caches) => {
          known = { platform: openPlatform(caches, { ...given, log }), client: given.client };
          return cforg(caches);
        };
        return { cforg: open, ...controllers };
      },
      { log },
    );
    await clock.advance(2_000);
    const { platform, client } = known ?? expect.fail('the operator has not opened its caches');
    const credentials = createCredentials({
      client,
      clock,
      clientFor: ({ authorization = '' }) => {
        const user = tokens.find(({ token }) => authorization === `Bearer ${token}`)?.user;
        return new Client(this.embedded.transport(user ?? anonymous), { clock });
      },
    });
    this.#served = { process, credentials, platform, api: createCfApi({ platform, credentials, routes: allRoutes }) };
  }

  /** Sends a request as one of the people, with this header, or as nobody at all. */
  async send(
    user: string,
    method: string,
    path: string,
    body?: Json,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const [, invalid] = /^\(invalid: (.*)\)$/.exec(user) ?? [];
    const authorization = user === '(none)' ? undefined : (invalid ?? `Bearer token-of-${user}`);
    const sent = await this.during(
      Promise.resolve(
        this.api.request(`https://api.example${path}`, {
          method,
          headers: { ...(authorization && { authorization }), 'content-type': 'application/json', ...headers },
          ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        }),
      ),
    );
    return { status: sent.status, headers: sent.headers, body: decoded(await sent.text()) };
  }

  /** Lets time pass until it has come to an end. */
  async during<T>(work: Promise<T>): Promise<T> {
    let over = false;
    const watched = work.finally(() => {
      over = true;
    });
    await this.clock.runUntil(() => over, 60_000);
    return await watched;
  }
}

interface Served {
  readonly process: OperatorProcess;
  readonly credentials: ReturnType<typeof createCredentials>;
  readonly platform: Platform;
  readonly api: Hono<CfEnv>;
}

function decoded(text: string): Json {
  if (text === '') return null;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

function listening(lines: string[]): Log {
  const say = (fields: Fields, message: string): void => {
    const plain = Object.entries(fields).map(([name, value]) => [
      name,
      value instanceof Error ? String(value.stack) : value,
    ]);
    lines.push(`${message} ${JSON.stringify(Object.fromEntries(plain))}`);
  };
  const log: Log = { debug: () => {}, info: say, warn: say, error: say, child: () => log };
  return log;
}
