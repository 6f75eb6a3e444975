import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../clock/virtual.ts';
import { Client } from '../../kube/client.ts';
import { inProcess } from '../../kube/in-process-transport.ts';
import { podUsage } from './pod-usage.ts';

const pods = { namespace: 'space', process: 'process', appRev: '2' };

function cluster(answer: (path: string) => { readonly status: number; readonly body: object }) {
  const clock = new VirtualClock();
  const asked: string[] = [];
  const transport = inProcess(async ({ path }) => {
    asked.push(decodeURIComponent(path));
    const { status, body } = answer(path);
    return { status, headers: { 'content-type': 'application/json' }, body: chunks(JSON.stringify(body)) };
  });
  return { clock, asked, usage: podUsage({ client: new Client(transport, { clock }), clock }) };
}

async function* chunks(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

const metrics = (name: string, containers: readonly object[], index?: string) => ({
  metadata: { name, ...(index && { labels: { 'apps.kubernetes.io/pod-index': index } }) },
  timestamp: '2026-11-01T10:00:00Z',
  containers,
});

describe('what instances use', () => {
  it('is asked for by process and revision, and summed over containers', async () => {
    const items = [
      metrics('a-0', [{ usage: { cpu: '250m', memory: '10Mi' } }, { usage: { cpu: '5000000n', memory: '24Ki' } }], '0'),
      metrics('a-11', [{ usage: { cpu: '1', memory: 'much' } }]),
      metrics('nameless', [{ usage: { cpu: '1', memory: '1' } }]),
    ];
    const { usage, asked } = cluster(() => ({
      status: 200,
      body: { apiVersion: 'v1', kind: 'List', metadata: {}, items },
    }));
    const found = await usage(pods);
    expect([...found.keys()]).toEqual([0, 11]);
    expect(found.get(0)?.cpu).toBeCloseTo(0.255);
    expect(found.get(0)?.memory).toBe(10 * 2 ** 20 + 24 * 1024);
    expect(found.get(11)).toEqual({ time: '2026-11-01T10:00:00Z', cpu: 1, memory: 0 });
    expect(asked[1]).toContain('/namespaces/space/pods');
    expect(asked[1]).toContain('korifi.cloudfoundry.org/guid=process,korifi.cloudfoundry.org/version=2');
  });

  it('is not asked for where nobody measures it, until some minutes later', async () => {
    const { usage, asked, clock } = cluster(() => ({ status: 404, body: { kind: 'Status', code: 404 } }));
    for (let time = 0; time < 5; time++) expect(await usage(pods)).toEqual(new Map());
    expect(asked).toEqual(['/apis/metrics.k8s.io/v1beta1']);
    await clock.advance(301_000);
    await usage(pods);
    expect(asked).toHaveLength(2);
  });

  it('is nothing when metrics fail', async () => {
    const { usage } = cluster((path) =>
      path.endsWith('v1beta1') ? { status: 200, body: {} } : { status: 503, body: {} },
    );
    expect(await usage(pods)).toEqual(new Map());
  });
});
