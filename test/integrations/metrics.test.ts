import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { install } from '../../src/cli/install.ts';
import { realRandom } from '../../src/clock/random.ts';
import { realClock } from '../../src/clock/real.ts';
import { createMetrics } from '../../src/control/metrics.ts';
import { createEmbedded } from '../../src/embedded/embedded.ts';
import { definitions } from '../../src/flink/family.ts';
import { Client } from '../../src/kube/client.ts';
import { runWith } from '../../src/main/run-with.ts';
import { isOurs, metricCatalogue } from './metrics-page.ts';

/** Where metrics are served, and the way to stop it. */
async function operator(stop: AbortController): Promise<{ readonly url: string; readonly ended: Promise<unknown> }> {
  const cluster = await createEmbedded({ clock: realClock, random: realRandom, nodes: { count: 0 } });
  const client = new Client(cluster.transport(), { userAgent: 'test' });
  await install(client, definitions(), stop.signal);
  const port = await unused();
  const running = runWith(client, {
    logLevel: 'error',
    signal: stop.signal,
    families: ['flink'],
    flink: { way: 'proxy' },
    server: {
      dashboard: { door: { port: 0 }, clientFor: () => new Client(cluster.transport(), { userAgent: 'test' }) },
      notify: 'webhooks:\n  - url: http://127.0.0.1:9\n    events: [failed]\n',
    },
    options: {
      instance: 'one',
      metrics: createMetrics({ process: true, version: '1.2.3' }),
      health: { host: '127.0.0.1', port },
    },
  });
  return { url: `http://127.0.0.1:${port}/metrics`, ended: running.finally(() => cluster.close()) };
}

async function unused(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()));
  const address = server.address();
  await new Promise((done) => server.close(done));
  return typeof address === 'object' && address ? address.port : 0;
}

describe('the metrics of a running operator', () => {
  it('are those that the page tells of, with its types and labels', async () => {
    const stop = new AbortController();
    const { url, ended } = await operator(stop);
    try {
      // Until the port is open it is asked again, unless the operator has ended.
      const over = ended.then(() => expect.unreachable('the operator has ended'));
      over.catch(() => {});
      const asked = (): Promise<string> =>
        fetch(url).then(
          (answer) => answer.text(),
          () => Promise.race([over, new Promise((done) => setImmediate(done))]).then(asked),
        );
      const text = await asked();
      const served = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => `${name} ${type}`);
      const told = metricCatalogue().map(({ name, type }) => `${name} ${type}`);
      expect(served.filter(isOurs).sort()).toEqual(told.filter(isOurs).sort());
      expect(told.filter((one) => !served.includes(one))).toEqual([]);
      for (const { name, labels } of metricCatalogue()) {
        const sample = new RegExp(`^${name}(?:_bucket|_sum|_count)?\\{([^}]*)\\}`, 'm').exec(text)?.[1] ?? '';
        const used = [...sample.matchAll(/(\w+)="/g)].map(([, label = '']) => label);
        expect(
          used.filter((label) => label !== 'le' && !labels.includes(label)),
          name,
        ).toEqual([]);
      }
    } finally {
      stop.abort();
      await ended;
    }
  });
});
