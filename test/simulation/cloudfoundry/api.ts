import type { Hono } from 'hono';
import { sleep } from '../../../src/clock/clock.ts';
import { seededRandom } from '../../../src/clock/random.ts';
import type { VirtualClock } from '../../../src/clock/virtual.ts';
import { allRoutes } from '../../../src/cloudfoundry/api/all-routes.ts';
import { openPlatform } from '../../../src/cloudfoundry/api/open-platform.ts';
import type { CfEnv } from '../../../src/cloudfoundry/api/platform.ts';
import { createCfApi } from '../../../src/cloudfoundry/api/server.ts';
import type { CloudFoundrySettings } from '../../../src/cloudfoundry/settings.ts';
import { Caches } from '../../../src/control/caches.ts';
import { silent } from '../../../src/control/log.ts';
import { createMetrics } from '../../../src/control/metrics.ts';
import type { Client } from '../../../src/kube/client.ts';
import type { Patience } from '../patience.ts';

export interface ApiOptions {
  /** Both of the API and of the person who uses it. */
  readonly client: Client;
  readonly clock: VirtualClock;
  readonly seed: number;
  readonly settings: CloudFoundrySettings;
  readonly patience: Patience;
}

/**
 * Sends a request and lets time pass until it is answered. Who is told to try again in a moment does so until it is no
 * longer needed. Rejects when the answer is another error.
 */
export type Ask = (method: string, path: string, body?: object) => Promise<Told>;

/** So long is a moment. */
const againMs = 5_000;

/** What people look at of an answer. */
export interface Told {
  readonly guid?: string;
  readonly status?: { readonly value: string; readonly reason: string };
}

/** The API of another replica, which nothing befalls: what people decide by it is written, then the operator's troubles begin. */
export function openApi({ client, clock, seed, settings, patience }: ApiOptions): { ask: Ask; close: () => void } {
  const end = new AbortController();
  const random = seededRandom(seed + 2);
  const log = silent;
  const caches = new Caches({ client, clock, random, log, metrics: createMetrics({ process: false }), freeze: true });
  const platform = openPlatform(caches, { client, settings, clock, random, log });
  caches.start(end.signal);
  const identity = { name: 'person', kind: 'User', groups: ['system:masters'], client } as const;
  const credentials = { identify: async () => identity, forget: () => {}, close: async () => {} };
  const api: Hono<CfEnv> = createCfApi({ platform, routes: allRoutes, credentials });

  async function send(method: string, path: string, body?: object): Promise<Told> {
    const { status, text } = await answerTo(method, path, body);
    if (status === 503) {
      await sleep(clock, againMs, end.signal);
      return await send(method, path, body);
    }
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    return text === '' ? {} : JSON.parse(text);
  }

  async function answerTo(method: string, path: string, body?: object): Promise<{ status: number; text: string }> {
    const init = { method, headers: { authorization: 'Bearer person', 'content-type': 'application/json' } };
    const response = await api.request(
      `https://api.example${path}`,
      body ? { ...init, body: JSON.stringify(body) } : init,
    );
    return { status: response.status, text: await response.text() };
  }

  return {
    ask: async (method, path, body) => {
      let over = false;
      const answer = send(method, path, body).finally(() => {
        over = true;
      });
      answer.catch(() => {});
      await patience.until(
        () => over,
        () => {
          throw new Error(`${method} ${path} was not answered`);
        },
      );
      return await answer;
    },
    close: () => end.abort(),
  };
}
