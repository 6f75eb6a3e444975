import type { Hono } from 'hono';
import { expect } from 'vitest';
import { seededRandom } from '../../../src/clock/random.ts';
import { VirtualClock } from '../../../src/clock/virtual.ts';
import { allRoutes } from '../../../src/cloudfoundry/api/all-routes.ts';
import { createCredentials } from '../../../src/cloudfoundry/api/credentials.ts';
import { openPlatform } from '../../../src/cloudfoundry/api/open-platform.ts';
import type { CfEnv, Platform } from '../../../src/cloudfoundry/api/platform.ts';
import { createCfApi } from '../../../src/cloudfoundry/api/server.ts';
import { cloudFoundryControllers } from '../../../src/cloudfoundry/controllers.ts';
import { installation } from '../../../src/cloudfoundry/install/installation.ts';
import { cloudFoundryKinds } from '../../../src/cloudfoundry/resources/all.ts';
import { type CloudFoundrySettings, defaultSettings } from '../../../src/cloudfoundry/settings.ts';
import type { Caches } from '../../../src/control/caches.ts';
import { kindTable } from '../../../src/control/kinds.ts';
import type { Fields, Log } from '../../../src/control/log.ts';
import { createMetrics } from '../../../src/control/metrics.ts';
import { runOperator } from '../../../src/control/operator.ts';
import { sealer } from '../../../src/control/sealed.ts';
import { openPki, type Pki } from '../../../src/embedded/auth/pki.ts';
import { createEmbedded, type Embedded } from '../../../src/embedded/embedded.ts';
import type { User } from '../../../src/embedded/gate.ts';
import { Client } from '../../../src/kube/client.ts';
import { kinds } from '../../../src/kube/kinds.ts';
import type { AnyObject, Json, KubeObject } from '../../../src/kube/object.ts';
import { crd } from '../../../src/schema/crd.ts';

const settings: CloudFoundrySettings = { ...defaultSettings, version: 'v0.18.0', apiUrl: 'https://api.example' };

/** The users of the recordings: service accounts, known by a token. */
const people = ['cf-admin', 'nobody', 'dev'] as const;

/** What came back. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Decoded JSON, text that is none, or `null`. */
  readonly body: Json;
}

/** The API on an embedded Kubernetes with all controllers of the family, three people and a clock that stands still. */
export class ApiStage implements AsyncDisposable {
  static #pki: Promise<Pki> | undefined;
  readonly clock: VirtualClock;
  readonly embedded: Embedded;
  /** The cluster's administrator. */
  readonly person: Client;
  readonly api: Hono<CfEnv>;
  readonly platform: Platform;
  /** All that was logged, one line each. */
  readonly log: string[];
  readonly #end: () => Promise<void>;

  private constructor(
    parts: Pick<ApiStage, 'clock' | 'embedded' | 'person' | 'api' | 'platform' | 'log'>,
    end: () => Promise<void>,
  ) {
    this.clock = parts.clock;
    this.embedded = parts.embedded;
    this.person = parts.person;
    this.api = parts.api;
    this.platform = parts.platform;
    this.log = parts.log;
    this.#end = end;
  }

  static async open(): Promise<ApiStage> {
    const clock = new VirtualClock();
    ApiStage.#pki ??= openPki({ clock });
    const tokens = people.map((name) => ({ token: `token-of-${name}`, user: account(name) }));
    const embedded = await createEmbedded({
      clock,
      random: seededRandom(2),
      pki: await ApiStage.#pki,
      tokens,
      nodes: { count: 1, cpu: '64', memory: '256Gi' },
    });
    const person = new Client(embedded.transport(), { clock, userAgent: 'person' });
    for (const kind of cloudFoundryKinds) {
      await person.resource(kinds.customResourceDefinitions).create(crd(kind) as KubeObject as AnyObject);
    }
    await clock.advance(100);
    const typeOf = kindTable(cloudFoundryKinds.map(({ type }) => type));
    const admin = { kind: 'ServiceAccount', name: 'cf-admin', namespace: settings.rootNamespace };
    for (const object of installation(settings, { admins: [admin] })) {
      await person.resource<KubeObject>(typeOf(object.apiVersion, object.kind)).create(object);
    }

    const log: string[] = [];
    const random = seededRandom(3);
    const client = new Client(embedded.transport(), { clock });
    const shared = { client, clock, random, settings };
    const stop = new AbortController();
    let platform: Platform | undefined;
    const { cforg, ...controllers } = cloudFoundryControllers({ ...shared, seal: sealer() });
    const open = (caches: Caches) => {
      platform = openPlatform(caches, { ...shared, log: listening(log) });
      return cforg(caches);
    };
    const ended = runOperator({
      ...shared,
      log: listening(log),
      metrics: createMetrics({ process: false }),
      signal: stop.signal,
      instance: 'operator-0',
      freeze: true,
      controllers: { cforg: open, ...controllers },
    });
    await clock.advance(2_000);
    if (!platform) expect.fail('the operator has not opened its caches');
    const credentials = createCredentials({
      client,
      clock,
      clientFor: ({ authorization = '' }) => {
        const user = tokens.find(({ token }) => authorization === `Bearer ${token}`)?.user;
        return new Client(
          embedded.transport(user ?? { name: 'system:anonymous', groups: ['system:unauthenticated'] }),
          { clock },
        );
      },
    });
    const api = createCfApi({ platform, credentials, routes: allRoutes });
    return new ApiStage({ clock, embedded, person, api, platform, log }, async () => {
      stop.abort();
      let over = false;
      void ended.finally(() => {
        over = true;
      });
      await clock.runUntil(() => over, 60_000);
      await credentials.close();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end();
    await this.embedded.close();
    expect(this.log.filter((line) => line.includes('a bug:'))).toEqual([]);
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

function account(name: string): User {
  const namespace = settings.rootNamespace;
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'];
  return { name: `system:serviceaccount:${namespace}:${name}`, groups };
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
