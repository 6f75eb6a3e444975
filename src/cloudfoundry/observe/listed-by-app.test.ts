import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../clock/virtual.ts';
import type { Client } from '../../kube/client.ts';
import { KubeError } from '../../kube/error.ts';
import type { CfApp } from '../resources/cf-app.ts';
import { type CfRoute, cfRoute } from '../resources/cf-route.ts';
import { appsOfRoute } from './caches.ts';
import { ListedByApp } from './listed-by-app.ts';

const app = (name: string, resourceVersion: string) =>
  ({ metadata: { name, namespace: 'space', resourceVersion } }) as CfApp;

const route = (name: string, to: string, resourceVersion = '1') =>
  ({
    metadata: { name, namespace: 'space', resourceVersion },
    spec: { destinations: [{ guid: name, appRef: { name: to } }] },
  }) as unknown as CfRoute;

const names = (routes: readonly CfRoute[]) => routes.map(({ metadata }) => metadata.name);

/** A server that has routes, and answers when it is let; and a cache. */
function stage(routes: readonly CfRoute[], seen: readonly CfRoute[] = []) {
  const clock = new VirtualClock();
  const server = { version: '10', asked: 0, answers: Promise.resolve() as Promise<unknown> };
  const list = async () => {
    server.asked += 1;
    const { version } = server;
    await server.answers;
    return { metadata: { resourceVersion: version }, items: routes };
  };
  const cached = {
    get: (key: string) => seen.find(({ metadata }) => `space/${metadata.name}` === key),
    by: (_index: string, key: string) => seen.filter((one) => appsOfRoute(one).includes(key)),
  };
  const client = { resource: () => ({ list }) } as unknown as Client;
  const listed = new ListedByApp<CfRoute>({ client, clock, type: cfRoute.type, cached, appsOf: appsOfRoute });
  const to = (app: CfApp) => listed.of(app, new AbortController().signal);
  return { clock, server, to };
}

describe('the routes that the server lists', () => {
  it('are asked for once for all apps of a space that were about to go before', async () => {
    const many = Array.from({ length: 100 }, (_, index) => String(index));
    const { server, to } = stage(many.map((name) => route(`to-${name}`, name)));
    for (const name of many.slice(0, 50)) expect(names(await to(app(name, '9')))).toEqual([`to-${name}`]);
    const together = await Promise.all(many.slice(50).map((name) => to(app(name, '10'))));
    expect(together.map(names)).toEqual(many.slice(50).map((name) => [`to-${name}`]));
    expect(server.asked).toBe(1);
  });

  it('are asked for again for an app that changed since, and that alone', async () => {
    const { server, to } = stage([route('a', 'app')]);
    await to(app('app', '9'));
    server.version = '12';
    await Promise.all([to(app('app', '11')), to(app('app', '12')), to(app('app', '10'))]);
    expect(server.asked).toBe(2);
  });

  it('are not taken from an answer that was on its way before', async () => {
    const { clock, server, to } = stage([route('a', 'app')]);
    const { promise, resolve } = Promise.withResolvers<void>();
    server.answers = promise;
    const first = to(app('app', '9'));
    await clock.advance(0);
    expect(server.asked).toBe(1);
    server.version = '12';
    const second = to(app('app', '11'));
    resolve();
    await Promise.all([first, second]);
    expect(server.asked).toBe(2);
  });

  it('are forgotten soon', async () => {
    const { clock, server, to } = stage([route('a', 'app')]);
    await to(app('app', '9'));
    await clock.advance(1_000);
    await to(app('app', '9'));
    expect(server.asked).toBe(2);
  });

  it('are those of the cache where that is newer, and only there', async () => {
    const { to } = stage(
      [route('same', 'app', '5'), route('unmapped', 'app', '5'), route('lagging', 'other', '7')],
      [
        route('same', 'app', '5'),
        route('unmapped', 'other', '11'),
        route('lagging', 'app', '6'),
        route('gone', 'app', '8'),
        route('new', 'app', '12'),
      ],
    );
    expect(names(await to(app('app', '9')))).toEqual(['same', 'new']);
  });

  it('are asked for by another when whoever asked did not hear', async () => {
    const { server, to } = stage([route('a', 'app')]);
    server.answers = Promise.reject(new KubeError('unreachable', 'called off'));
    const first = to(app('app', '9'));
    const second = to(app('app', '9'));
    server.answers.catch(() => {
      server.answers = Promise.resolve();
    });
    await expect(first).rejects.toThrow('called off');
    expect(names(await second)).toEqual(['a']);
    expect(names(await to(app('app', '9')))).toEqual(['a']);
    expect(server.asked).toBe(2);
  });
});
