import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../clock/virtual.ts';
import { type Log, silent } from '../../control/log.ts';
import { createMetrics } from '../../control/metrics.ts';
import type { Client } from '../../kube/client.ts';
import { KubeError } from '../../kube/error.ts';
import { kinds } from '../../kube/kinds.ts';
import type { ResourceType } from '../../kube/resource-type.ts';
import type { Asked } from '../http/asked.ts';
import { withServerMetrics } from '../server-metrics.ts';
import { Login } from './login.ts';
import { SessionSeal } from './session-seal.ts';

const asked = (body: unknown, more: Partial<Asked> = {}): Asked => ({
  method: 'POST',
  path: '/api/login',
  query: new URLSearchParams(),
  header: (name) => ({ 'content-type': 'application/json', host: 'localhost' })[name],
  address: '127.0.0.1',
  secure: false,
  body: async () => JSON.stringify(body),
  left: new AbortController().signal,
  ...more,
});

function setUp(log: Log = silent, seal?: SessionSeal) {
  const clock = new VirtualClock();
  const cluster = { accepts: true, reviews: 0, broken: undefined as KubeError | undefined };
  const create = async (type: ResourceType, review: { spec?: { token?: string } }) => {
    if (cluster.broken) throw cluster.broken;
    if (type.kind === 'SubjectAccessReview') return { status: { allowed: true } };
    cluster.reviews++;
    const user = { username: 'ann', groups: ['dev'] };
    if (type.kind === 'SelfSubjectReview') return { status: { userInfo: user } };
    return { status: { authenticated: cluster.accepts && review.spec?.token?.startsWith('good') === true, user } };
  };
  const client = {
    resource: (type: ResourceType) => ({ create: (review: { spec?: { token?: string } }) => create(type, review) }),
    close: async () => undefined,
  } as unknown as Client;
  let count = 0;
  const metrics = withServerMetrics(createMetrics({ process: false }));
  const login = new Login({
    client,
    clientFor: () => client,
    clock,
    log,
    metrics,
    secret: () => `secret-${count++}`,
    once: { authorization: 'Bearer admin' },
    ...(seal && { seal }),
  });
  return { clock, cluster, login, metrics };
}

const list = { verb: 'list', type: kinds.pods } as const;

describe('Login', () => {
  it('ends a session when the cluster does not accept its token any more', async () => {
    const { clock, cluster, login } = setUp();
    const { session } = await login.byToken(asked({ token: 'good' }));
    expect(await session.access.may(list)).toBe(true);
    cluster.accepts = false;
    await clock.advance(299_999);
    expect(await session.access.may(list)).toBe(true);
    await clock.advance(1);
    await expect(session.access.may(list)).rejects.toMatchObject({ status: 401 });
    expect([session.ended.aborted, login.sessions.size]).toEqual([true, 0]);
    login.close();
  });

  it('ends a session with its token', async () => {
    const { clock, login } = setUp();
    const exp = clock.now() / 1000 + 600;
    const token = `good.${Buffer.from(JSON.stringify({ exp })).toString('base64url')}.x`;
    const { cookie, session } = await login.byToken(asked({ token }));
    expect(session.expiresAt).toBe(exp * 1000);
    await clock.advance(600_000);
    expect(await login.whose(cookie, asked({}))).toBeUndefined();
    login.close();
  });

  it('does not begin a session again that was idle or logged out of, however well its cookie is sealed', async () => {
    const seal = new SessionSeal('k'.repeat(44));
    const { clock, login } = setUp(silent, seal);
    const [idle, left, kept] = [
      await login.byToken(asked({ token: 'good' })),
      await login.byToken(asked({ token: 'good' })),
      await login.byToken(asked({ token: 'good' })),
    ];
    login.logout(left.session);
    kept.session.open = 1;
    await clock.advance(3_600_000);
    expect(await login.whose(idle.cookie, asked({}))).toBeUndefined();
    expect(await login.whose(left.cookie, asked({}))).toBeUndefined();
    expect(await login.whose(kept.cookie, asked({}))).toBe(kept.session);
    login.close();
    const other = setUp(silent, seal);
    expect(await other.login.whose(kept.cookie, asked({}))).toMatchObject({ csrf: kept.session.csrf });
    other.login.close();
  });

  it('says when the cluster cannot be asked, and does not hold that against anybody', async () => {
    const { cluster, login } = setUp();
    cluster.broken = new KubeError('forbidden', 'no');
    for (let at = 0; at < 20; at++) {
      await expect(login.byToken(asked({ token: 'good' }))).rejects.toMatchObject({
        status: 503,
        message: expect.stringContaining('tokenreviews'),
      });
    }
    cluster.broken = undefined;
    expect(await login.byToken(asked({ token: 'good' }))).toMatchObject({ session: { who: { name: 'ann' } } });
    login.close();
  });

  it('lets in by the link from this machine only', async () => {
    const { login } = setUp();
    const code = login.issueOnce() ?? '';
    const query = new URLSearchParams({ once: code });
    await expect(login.byLink(asked({}, { query, address: '10.0.0.7' }))).rejects.toMatchObject({ status: 403 });
    await expect(login.byLink(asked({}, { query, header: () => 'evil.example' }))).rejects.toMatchObject({
      status: 403,
    });
    expect(await login.byLink(asked({}, { query }))).toMatchObject({ session: { who: { name: 'ann' } } });
    login.close();
  });

  it('writes down who came and who did not, and never what they came with', async () => {
    const lines: string[] = [];
    const say = (fields: object, message: string): void => void lines.push(`${message} ${JSON.stringify(fields)}`);
    const log: Log = { debug: say, info: say, warn: say, error: say, child: () => log };
    const { login, metrics } = setUp(log);
    await login.byToken(asked({ token: 'good-token' }));
    await expect(login.byToken(asked({ token: 'bad-token' }))).rejects.toMatchObject({ status: 401 });
    expect(lines.join('\n')).toMatch(/logged in.*ann.*not let in/s);
    expect(lines.join('\n')).not.toMatch(/good-token|bad-token|secret-/);
    const { text } = await metrics.page();
    expect(text).toMatch(/cutover_dashboard_logins_total\{result="ok"\} 1\n.*\{result="refused"\} 1/);
    login.close();
  });
});
