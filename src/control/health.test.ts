import { Server } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { type HealthServer, serveHealth } from './health.ts';
import { silent } from './log.ts';
import { createMetrics } from './metrics.ts';

let server: HealthServer | undefined;
afterEach(() => server?.close());

it('serves liveness, readiness with reasons, and metrics', async () => {
  let synced = false;
  const metrics = createMetrics({ process: false });
  metrics.queue('lamp', { depth: (lane) => (lane === 'edit' ? 3 : 0), delayed: 2 });
  server = await serveHealth({
    host: '127.0.0.1',
    port: 0,
    live: { loop: () => undefined },
    ready: { caches: () => (synced ? undefined : 'lamps.toy.dev is not synced') },
    metrics,
    log: silent,
  });
  const ask = (path: string, method = 'GET'): Promise<Response> =>
    fetch(`http://127.0.0.1:${server?.port}${path}`, { method });

  expect((await ask('/livez')).status).toBe(200);
  const before = await ask('/readyz');
  expect([before.status, await before.text()]).toEqual([503, '[-] caches: lamps.toy.dev is not synced\nfailed\n']);
  synced = true;
  expect((await ask('/readyz?verbose')).status).toBe(200);
  const page = await (await ask('/metrics')).text();
  expect(page).toContain('cutover_queue_depth{controller="lamp",lane="edit"} 3');
  expect(page).toContain('cutover_queue_depth{controller="lamp",lane="delayed"} 2');
  expect((await ask('/secret')).status).toBe(404);
  expect((await ask('/livez', 'POST')).status).toBe(405);
});

it('goes on when connections cannot be taken', async () => {
  const listens = vi.spyOn(Server.prototype, 'listen');
  const metrics = createMetrics({ process: false });
  server = await serveHealth({ host: '127.0.0.1', port: 0, live: {}, ready: {}, metrics, log: silent });
  const [inside] = listens.mock.contexts as readonly Server[];
  listens.mockRestore();
  for (const code of ['ENOBUFS', 'EMFILE']) expect(inside?.emit('error', new Error(`accept ${code}`))).toBe(true);
});
