import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../clock/random.ts';
import { VirtualClock } from '../../clock/virtual.ts';
import type { Fields, Log } from '../../control/log.ts';
import { Client } from '../../kube/client.ts';
import { KubeError, type KubeErrorKind } from '../../kube/error.ts';
import { inProcess } from '../../kube/in-process-transport.ts';
import { defaultSettings } from '../settings.ts';
import { invalidAuthToken } from './cf-error.ts';
import { info } from './info.ts';
import { jsonBody } from './payload/parse-body.ts';
import type { Caller, CfRoutes, Platform } from './platform.ts';
import { createCfApi } from './server.ts';

const secret = 'eyJhbGciOi-secret-token';

const probe: CfRoutes = (api) => {
  api.get('/v3/base', (c) => c.json({ base: c.var.base }));
  api.post('/v3/echo', async (c) => c.json(await jsonBody(c)));
  api.get('/v3/bug', () => {
    throw new TypeError(`a header was ${secret}`);
  });
  api.get('/v3/trouble/:kind', (c) => {
    throw new KubeError(c.req.param('kind') as KubeErrorKind, 'GET /apis: trouble');
  });
  api.get('/v3/expired', () => {
    throw invalidAuthToken();
  });
};

interface Options {
  readonly trustForwarded?: boolean;
  readonly hasRoles?: boolean;
  readonly isReady?: boolean;
  /** Default `al,ice`. */
  readonly name?: string;
  /** The connection as Node tells it; absent: no connection at all. */
  readonly socket?: { readonly encrypted?: boolean; readonly remoteAddress?: string };
}

function apiWith(options: Options = {}) {
  const lines: string[] = [];
  const faults: string[] = [];
  const log: Log = {
    debug: say,
    info: say,
    warn: say,
    error: (_, message) => void faults.push(message),
    child: () => log,
  };
  function say(fields: Fields, message: string): void {
    lines.push(`${message} ${JSON.stringify(fields)}`);
  }
  const client = new Client(inProcess(async () => expect.fail('nobody asks Kubernetes')));
  const caller: Caller = { name: options.name ?? 'al,ice', kind: 'User', groups: [], client };
  const asked: boolean[] = [];
  const forgotten: string[] = [];
  const platform: Platform = {
    client,
    directory: {
      namespaceOf: async () => undefined,
      spaces: () => [],
      orgs: () => [],
      everywhere: () => false,
      hasRoles: () => options.hasRoles ?? true,
    },
    settings: defaultSettings,
    clock: new VirtualClock(),
    random: seededRandom(1),
    log,
    isReady: () => options.isReady ?? true,
    wrote: () => {},
  };
  const api = createCfApi({
    platform,
    credentials: {
      async identify(_, confidential) {
        asked.push(confidential);
        return caller;
      },
      forget: (header) => void forgotten.push(header),
      close: async () => {},
    },
    routes: [info, probe],
    trustForwarded: options.trustForwarded ?? false,
    maxBody: 100,
  });
  const request = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) => {
    const env = options.socket && { incoming: { socket: options.socket } };
    const url = `http://inner.example:8080${path}`;
    return api.request(url, { ...init, headers: { authorization: `Bearer ${secret}`, ...headers } }, env);
  };
  return { request, lines, faults, asked, forgotten };
}

const errorOf = async (response: Response) => {
  const { errors } = (await response.json()) as { errors: { code: number; detail: string; title: string }[] };
  return { status: response.status, ...errors[0] };
};

describe('the server', () => {
  it.each([
    ['throttled', []],
    ['server', []],
    ['unreachable', []],
    ['aborted', []],
    ['forbidden', ['Kubernetes does not let the operator itself ask']],
    ['unauthorized', ['Kubernetes does not let the operator itself ask']],
  ])('takes trouble of its own with Kubernetes for neither a bug nor the caller’s: %s', async (kind, logged) => {
    const { request, faults, forgotten } = apiWith();
    const response = await request(`/v3/trouble/${kind}`);
    expect(await errorOf(response)).toMatchObject({ status: 503, code: 10015, title: 'CF-ServiceUnavailable' });
    expect(faults).toEqual(logged);
    expect(forgotten).toEqual([]);
  });

  it.each([
    ['no headers', {}, false, 'http://inner.example:8080'],
    [
      'headers that it must not believe',
      { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil' },
      false,
      'http://inner.example:8080',
    ],
    [
      'headers of a proxy',
      { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'api.example' },
      true,
      'https://api.example',
    ],
    [
      'headers of two proxies',
      { 'x-forwarded-proto': 'https,http', 'x-forwarded-host': 'api.example, b' },
      true,
      'https://api.example',
    ],
    ['a host that is none', { 'x-forwarded-host': 'a"b' }, true, 'http://inner.example:8080'],
  ])('knows its own address with %s', async (_, headers, trustForwarded, base) => {
    const response = await apiWith({ trustForwarded }).request('/v3/base', headers);
    expect(await response.json()).toEqual({ base });
  });

  it.each([
    ['TLS', { encrypted: true, remoteAddress: '10.0.0.1' }, {}, true],
    ['the same machine', { remoteAddress: '127.0.0.1' }, {}, true],
    ['the same machine over IPv6', { remoteAddress: '::1' }, {}, true],
    ['another machine', { remoteAddress: '10.0.0.1' }, {}, false],
    ['a proxy on the same machine', { remoteAddress: '127.0.0.1' }, { 'x-forwarded-for': '10.0.0.1' }, false],
    ['a call within the process', undefined, {}, true],
  ])('tells whether anybody can listen: %s', async (_, socket, headers, confidential) => {
    const { request, asked } = apiWith(socket ? { socket } : {});
    await request('/v3/base', headers);
    expect(asked).toEqual([confidential]);
  });

  it('says what is wrong in the words of the CF API', async () => {
    const { request } = apiWith();
    expect(await errorOf(await request('/v3/nothing'))).toMatchObject({ status: 404, code: 10000 });
    expect(await errorOf(await request('/v3/base', {}, { method: 'PUT' }))).toMatchObject({ status: 404, code: 10000 });
    const broken = await request('/v3/echo', {}, { method: 'POST', body: '{"a":' });
    expect(await errorOf(broken)).toMatchObject({ status: 400, code: 1001 });
    const long = await request('/v3/echo', {}, { method: 'POST', body: JSON.stringify('x'.repeat(200)) });
    expect(await errorOf(long)).toMatchObject({ status: 413, title: 'CF-RequestTooLarge' });
  });

  it('tells nobody what it stumbled over', async () => {
    const { request, lines } = apiWith();
    const error = await errorOf(await request('/v3/bug'));
    expect(error).toMatchObject({ status: 500, code: 10001, title: 'UnknownError' });
    expect(JSON.stringify(error)).not.toContain(secret);
    expect(lines.join('\n')).not.toContain(secret);
  });

  it('logs each request once, without credentials and without what was asked for in the query', async () => {
    const { request, lines } = apiWith();
    await request(`/v3/base?names=${secret}`, { 'x-correlation-id': 'abc-1' });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(
      /"method":"GET","path":"\/v3\/base","status":200,.*"user":"al,ice","correlationId":"abc-1"/,
    );
    expect(lines[0]).not.toContain(secret);
  });

  it('gives every answer an id, of its own when the client sends nonsense', async () => {
    const { request } = apiWith();
    expect((await request('/v3/nothing', { 'x-correlation-id': 'abc-1' })).headers.get('x-correlation-id')).toBe(
      'abc-1',
    );
    const own = (await request('/', { 'x-correlation-id': 'a b' })).headers.get('x-correlation-id');
    expect(own).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('warns who has no role, in a header that clients can decode', async () => {
    const { request } = apiWith({ hasRoles: false });
    const warning = (await request('/v3/nothing')).headers.get('x-cf-warnings') ?? '';
    expect(warning.split(',')).toHaveLength(1);
    expect(decodeURIComponent(warning)).toContain("subject 'User/al,ice' has no CF roles assigned");
  });

  it.each(['oidc:zoë😀', 'half\ud83d'])('answers who has no role and is called %j', async (name) => {
    const response = await apiWith({ hasRoles: false, name }).request('/v3/base');
    expect(response.status).toBe(200);
    const warning = decodeURIComponent(response.headers.get('x-cf-warnings') ?? '');
    expect(warning).toContain(`'User/${name.toWellFormed()}'`);
  });

  it.each([
    ['cf/8.4.9 (go1.20; amd64 linux)', 400],
    ['cf/7.99.0', 400],
    ['cf/8.5.0', 200],
    ['cf/8.18.3+abc (go1.20)', 200],
    ['cf/9.0.0', 200],
    ['curl/8.4.0', 200],
  ])('answers %s with %d', async (agent, status) => {
    expect((await apiWith().request('/v3/base', { 'user-agent': agent })).status).toBe(status);
  });

  it('knows nobody before it has seen the cluster, but says what it is', async () => {
    const { request, asked } = apiWith({ isReady: false });
    expect((await request('/v3/base')).status).toBe(503);
    expect((await request('/')).status).toBe(200);
    expect(asked).toEqual([]);
  });

  it('forgets who a caller is when Kubernetes refuses him', async () => {
    const { request, forgotten } = apiWith();
    expect((await request('/v3/expired')).status).toBe(401);
    expect(forgotten).toEqual([`Bearer ${secret}`]);
  });
});
