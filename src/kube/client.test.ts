import { describe, expect, it } from 'vitest';
import { sleep } from '../clock/clock.ts';
import { VirtualClock } from '../clock/virtual.ts';
import { Client } from './client.ts';
import { inProcess } from './in-process-transport.ts';
import { kinds } from './kinds.ts';
import type { AnyObject } from './object.ts';
import type { Request, Response } from './transport.ts';

const text = (request: Request): string => `${request.method} ${request.path}`;

function answer(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return { status, headers, body: once(bytes) };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** A client whose requests are kept, each answered by `reply`. */
function recorded(reply: (request: Request) => Response | Promise<Response> = () => answer(200, {})) {
  const requests: Request[] = [];
  const transport = inProcess(async (request) => {
    requests.push(request);
    return reply(request);
  });
  return { client: new Client(transport), requests };
}

const pod: AnyObject = { apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'ns', name: 'a' } };
const name = { namespace: 'ns', name: 'a' };

describe('the verbs of a resource', () => {
  const cases: [string, (pods: ReturnType<Client['resource']>) => Promise<unknown>, string, string?, unknown?][] = [
    ['get', (pods) => pods.get(name), 'GET /api/v1/namespaces/ns/pods/a'],
    [
      'list',
      (pods) => pods.list({ labelSelector: { matchLabels: { a: 'b' } }, limit: 3 }),
      'GET /api/v1/pods?labelSelector=a%3Db&limit=3',
    ],
    [
      'create',
      (pods) => pods.create(pod, { dryRun: true, fieldValidation: 'Strict' }),
      'POST /api/v1/namespaces/ns/pods?dryRun=All&fieldValidation=Strict',
      'application/json',
      pod,
    ],
    [
      'update',
      (pods) => pods.update(pod, { fieldManager: 'me' }),
      'PUT /api/v1/namespaces/ns/pods/a?fieldManager=me',
      'application/json',
      pod,
    ],
    [
      'json patch',
      (pods) => pods.patch(name, { type: 'json', body: [] }),
      'PATCH /api/v1/namespaces/ns/pods/a',
      'application/json-patch+json',
      [],
    ],
    [
      'merge patch',
      (pods) => pods.patch(name, { type: 'merge', body: {} }),
      'PATCH /api/v1/namespaces/ns/pods/a',
      'application/merge-patch+json',
      {},
    ],
    [
      'apply',
      (pods) => pods.apply(pod, { manager: 'me', force: true }),
      'PATCH /api/v1/namespaces/ns/pods/a?fieldManager=me&force=true',
      'application/apply-patch+yaml',
      pod,
    ],
    [
      'delete',
      (pods) =>
        pods.delete(name, { preconditions: { uid: 'u' }, propagationPolicy: 'Foreground', gracePeriodSeconds: 0 }),
      'DELETE /api/v1/namespaces/ns/pods/a',
      'application/json',
      {
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        preconditions: { uid: 'u' },
        propagationPolicy: 'Foreground',
        gracePeriodSeconds: 0,
      },
    ],
    [
      'deleteCollection',
      (pods) => pods.deleteCollection({ namespace: 'ns', fieldSelector: { 'metadata.name': 'a' } }),
      'DELETE /api/v1/namespaces/ns/pods?fieldSelector=metadata.name%3Da',
      'application/json',
      { apiVersion: 'v1', kind: 'DeleteOptions' },
    ],
    [
      'status.update',
      (pods) => pods.status.update(pod),
      'PUT /api/v1/namespaces/ns/pods/a/status',
      'application/json',
      pod,
    ],
    [
      'status.apply',
      (pods) => pods.status.apply(pod, { manager: 'me' }),
      'PATCH /api/v1/namespaces/ns/pods/a/status?fieldManager=me',
      'application/apply-patch+yaml',
      pod,
    ],
    [
      'scale.patch',
      (pods) => pods.scale.patch(name, { type: 'merge', body: { spec: { replicas: 2 } } }),
      'PATCH /api/v1/namespaces/ns/pods/a/scale',
      'application/merge-patch+json',
      { spec: { replicas: 2 } },
    ],
    [
      'subresource',
      (pods) => pods.subresource(name, 'token').create({ spec: {} }),
      'POST /api/v1/namespaces/ns/pods/a/token',
      'application/json',
      { spec: {} },
    ],
    [
      'evict',
      (pods) => pods.evict(name),
      'POST /api/v1/namespaces/ns/pods/a/eviction',
      'application/json',
      {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: name,
        deleteOptions: { apiVersion: 'v1', kind: 'DeleteOptions' },
      },
    ],
    [
      'proxy',
      (pods) => pods.proxy(name, { port: 8081, scheme: 'https', path: '/jobs?x=1' }),
      'GET /api/v1/namespaces/ns/pods/https:a:8081/proxy/jobs?x=1',
    ],
  ];

  it.each(cases)('%s', async (_, act, expected, contentType, body) => {
    const { client, requests } = recorded(() => answer(200, { kind: 'PodList', metadata: {}, items: [] }));
    await act(client.resource(kinds.pods));
    expect(requests.map(text)).toEqual([expected]);
    expect(requests[0]?.headers?.['content-type']).toBe(contentType);
    expect(requests[0]?.body).toBe(body === undefined ? undefined : JSON.stringify(body));
  });

  it('fill in the kind of listed items, which the server leaves out', async () => {
    const { client } = recorded(() =>
      answer(200, {
        kind: 'DeploymentList',
        apiVersion: 'apps/v1',
        metadata: {},
        items: [{ metadata: { name: 'a' } }],
      }),
    );
    const list = await client.resource(kinds.deployments).list();
    expect(list.items).toEqual([{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' } }]);
  });

  it('walk through the pages of a list', async () => {
    const { client, requests } = recorded((request) =>
      answer(200, { metadata: request.path.includes('continue') ? {} : { continue: 'more' }, items: [] }),
    );
    const pages: unknown[] = [];
    for await (const page of client.resource(kinds.pods).pages({ limit: 2 })) pages.push(page);
    expect(pages).toHaveLength(2);
    expect(requests.map(text)).toEqual(['GET /api/v1/pods?limit=2', 'GET /api/v1/pods?limit=2&continue=more']);
  });

  it('refuse names that would reach into another path', async () => {
    const { client, requests } = recorded();
    const pods = client.resource(kinds.pods);
    for (const bad of ['', '..', 'a/b', '%2e']) {
      await expect(pods.get({ namespace: 'ns', name: bad })).rejects.toMatchObject({ kind: 'refused' });
    }
    await expect(pods.get({ name: 'a' })).rejects.toThrow('pods live in a namespace: none was given');
    expect(requests).toEqual([]);
  });
});

describe('a watch', () => {
  const watching = async (body: string): Promise<unknown[]> => {
    const { client } = recorded(() => answer(200, body));
    const events: unknown[] = [];
    for await (const event of client.resource(kinds.pods).watch()) events.push(event);
    return events;
  };

  it('yields events', async () => {
    const events = [
      { type: 'ADDED', object: pod },
      { type: 'BOOKMARK', object: { metadata: { resourceVersion: '7' } } },
    ];
    expect(await watching(events.map((event) => `${JSON.stringify(event)}\n`).join(''))).toEqual(events);
  });

  it('throws what an ERROR event says', async () => {
    const status = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version' };
    const event = { type: 'ERROR', object: status };
    await expect(watching(`${JSON.stringify(event)}\n`)).rejects.toMatchObject({ kind: 'gone', status });
  });

  it.each([
    'nonsense\n',
    'null\n',
    '{"type":"ADDED"}\n',
    '{"type":"ADDED","object":{}}\n',
    '{"type":"X","object":{}}\n',
    '{"type":"ADD',
  ])('calls %j garbled', async (body) => {
    await expect(watching(body)).rejects.toMatchObject({ kind: 'garbled' });
  });
});

describe('an error', () => {
  const failing = (response: Response) =>
    recorded(() => response)
      .client.resource(kinds.pods)
      .get(name);
  const status = (code: number, reason: string, details = {}) => ({
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    code,
    reason,
    message: 'no',
    details,
  });

  it.each([
    [400, 'BadRequest', 'refused'],
    [401, 'Unauthorized', 'unauthorized'],
    [403, 'Forbidden', 'forbidden'],
    [404, 'NotFound', 'not-found'],
    [409, 'AlreadyExists', 'exists'],
    [409, 'Conflict', 'conflict'],
    [410, 'Expired', 'gone'],
    [415, 'UnsupportedMediaType', 'refused'],
    [422, 'Invalid', 'refused'],
    [429, 'TooManyRequests', 'throttled'],
    [500, 'InternalError', 'server'],
    [503, 'ServiceUnavailable', 'server'],
  ])('%i %s is %s', async (code, reason, kind) => {
    await expect(failing(answer(code, status(code, reason)))).rejects.toMatchObject({
      kind,
      message: 'GET /api/v1/namespaces/ns/pods/a: no',
      status: { reason },
    });
  });

  it('says how long to wait', async () => {
    await expect(failing(answer(429, status(429, 'TooManyRequests'), { 'retry-after': '3' }))).rejects.toMatchObject({
      retryAfterMs: 3000,
    });
    await expect(failing(answer(429, status(429, 'TooManyRequests', { retryAfterSeconds: 2 })))).rejects.toMatchObject({
      retryAfterMs: 2000,
    });
  });

  it('says until when to wait, by the clock of the server', async () => {
    const headers = { 'retry-after': 'Tue, 01 Jan 2030 00:00:07 GMT', date: 'Tue, 01 Jan 2030 00:00:00 GMT' };
    await expect(failing(answer(503, '', headers))).rejects.toMatchObject({ retryAfterMs: 7000 });
    await expect(failing(answer(503, '', { 'retry-after': 'soon' }))).rejects.toMatchObject({
      retryAfterMs: undefined,
    });
  });

  it.each(['soon', Number.NaN, -1, null])('says nothing about waiting when it says %j', async (retryAfterSeconds) => {
    const outcome = failing(answer(429, status(429, 'TooManyRequests', { retryAfterSeconds })));
    await expect(outcome).rejects.toMatchObject({ kind: 'throttled', retryAfterMs: undefined });
  });

  it.each(['null', '7', '"pods"', 'true'])('of a server that answers %s is garbled', async (text) => {
    await expect(failing(answer(200, text))).rejects.toMatchObject({ kind: 'garbled' });
  });

  it('of something that is no API server shows what it said', async () => {
    await expect(failing(answer(502, '<h1>Bad\n gateway</h1>'))).rejects.toMatchObject({
      kind: 'server',
      message: 'GET /api/v1/namespaces/ns/pods/a: the server answered 502 Bad Gateway: <h1>Bad gateway</h1>',
    });
    await expect(failing(answer(200, 'hello'))).rejects.toMatchObject({ kind: 'garbled' });
    await expect(failing(answer(302, ''))).rejects.toMatchObject({ kind: 'garbled' });
  });

  it('of a server that never answers is unreachable after the time limit', async () => {
    const clock = new VirtualClock();
    const client = new Client(
      inProcess(() => new Promise(() => {})),
      { clock, defaultTimeoutMs: 5000 },
    );
    const outcome = expect(client.resource(kinds.pods).get(name)).rejects.toMatchObject({
      kind: 'unreachable',
      message: 'GET /api/v1/namespaces/ns/pods/a: no answer within 5 s',
    });
    await clock.advance(5000);
    await outcome;
  });

  it('of a caller who changed its mind is aborted, and the handler learns of it', async () => {
    const controller = new AbortController();
    let told = false;
    const client = new Client(
      inProcess((request) => {
        request.signal.addEventListener('abort', () => {
          told = true;
        });
        return new Promise(() => {});
      }),
    );
    const outcome = expect(client.resource(kinds.pods).get(name, { signal: controller.signal })).rejects.toMatchObject({
      kind: 'aborted',
    });
    controller.abort();
    await outcome;
    expect(told).toBe(true);
  });
});

it('lets a watch last longer than an answer may take to begin', async () => {
  const clock = new VirtualClock();
  const event = Buffer.from(`${JSON.stringify({ type: 'ADDED', object: pod })}\n`);
  async function* slow(): AsyncGenerator<Uint8Array> {
    yield event;
    await sleep(clock, 60_000);
    yield event;
  }
  const transport = inProcess(async () => ({ status: 200, headers: {}, body: slow() }));
  const told: string[] = [];
  const watching = (async () => {
    const client = new Client(transport, { clock, defaultTimeoutMs: 5_000 });
    for await (const { type } of client.resource(kinds.pods).watch()) told.push(type);
  })();
  await clock.advance(60_000);
  await watching;
  expect(told).toEqual(['ADDED', 'ADDED']);
});

it('hears the warnings of the server', async () => {
  const warnings: string[] = [];
  const transport = inProcess(async () => answer(200, {}, { warning: '299 - "use \\"v2\\"", 299 - "unknown field"' }));
  await new Client(transport, { onWarning: (warning) => warnings.push(warning) }).json({ method: 'GET', path: '/x' });
  expect(warnings).toEqual(['use "v2"', 'unknown field']);
});

it('frees a body that the reader leaves early', async () => {
  let freed = false;
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield Buffer.from('x');
    } finally {
      freed = true;
    }
  }
  const { client } = recorded(() => ({ status: 200, headers: {}, body: endless() }));
  for await (const _ of client.resource(kinds.pods).log(name)) break;
  await new Promise((resolve) => setImmediate(resolve));
  expect(freed).toBe(true);
});
