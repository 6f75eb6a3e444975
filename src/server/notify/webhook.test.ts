import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../clock/random.ts';
import { VirtualClock } from '../../clock/virtual.ts';
import type { Log } from '../../control/log.ts';
import type { Notice } from './notice.ts';
import type { WebhookTarget } from './notify-config.ts';
import type { Posted } from './post.ts';
import { Webhook } from './webhook.ts';

const url = 'https://user:hunter2@hooks.example/s3cret?key=s3cret';
const notice = (id: string, more: Partial<Notice> = {}): Notice => ({
  class: 'failed',
  id,
  about: { apiVersion: 'toy/v1', kind: 'Boat', namespace: 'north', name: id, uid: id },
  data: { event: { at: '', reason: '', note: '', warning: false, about: '', count: 1 } },
  ...more,
});

function setUp(answer: (sent: number) => Posted | Promise<Posted>, target: Partial<WebhookTarget> = {}) {
  const clock = new VirtualClock();
  const lines: string[] = [];
  const counted: string[] = [];
  const sent: { readonly id: string; readonly at: number; readonly headers: Readonly<Record<string, string>> }[] = [];
  const say = (fields: object, message: string): void => void lines.push(`${message} ${JSON.stringify(fields)}`);
  const log: Log = { debug: say, info: say, warn: say, error: say, child: () => log };
  const webhook = new Webhook({
    target: { url, events: ['failed'], ...target },
    post: async (_, { headers, body }) => {
      sent.push({ id: JSON.parse(body).id, at: clock.monotonic(), headers });
      return answer(sent.length);
    },
    readFile: async (path) => `# ${path}\nAuthorization: Bearer s3cret-${clock.monotonic()}\nbad line\n`,
    clock,
    random: seededRandom(1),
    log,
    metrics: { notified: (event, delivery) => void counted.push(`${event} ${delivery}`) },
  });
  return { clock, webhook, sent, counted, lines };
}

describe('Webhook', () => {
  it('sends what it was asked for, in order and once each', async () => {
    const { clock, webhook, sent, counted } = setUp(() => ({ status: 202 }), { namespaces: ['north'] });
    webhook.offer(notice('a'));
    webhook.offer(notice('b'));
    webhook.offer(notice('a'));
    webhook.offer(notice('c', { class: 'deleted' }));
    webhook.offer(notice('d', { about: { ...notice('d').about, namespace: 'south' } }));
    await clock.advance(0);
    expect(sent.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(counted).toEqual(['failed sent', 'failed sent']);
    expect(clock.untilNext).toBeUndefined();
  });

  it('sends what hostile events are about, so that nothing waits behind them', async () => {
    const { clock, webhook, sent } = setUp(() => ({ status: 200 }));
    webhook.offer(notice('a', { about: { ...notice('a').about, kind: '\ud83d' } }));
    webhook.offer(notice('b'));
    await clock.advance(0);
    expect(sent.map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('tries again ever later, with fresh headers, until it is taken', async () => {
    const { clock, webhook, sent, counted } = setUp((count) => ({ status: count < 6 ? 500 : 200 }), {
      headersFrom: 'h',
    });
    webhook.offer(notice('a'));
    await clock.advance(120_000);
    const waits = sent.slice(1).map(({ at }, index) => at - (sent[index]?.at ?? 0));
    expect(sent).toHaveLength(6);
    expect(waits.every((wait, index) => wait <= 1_000 * 2 ** index)).toBe(true);
    expect(Math.max(...waits)).toBeGreaterThan(2_000);
    expect(sent[0]?.headers).toMatchObject({ authorization: 'Bearer s3cret-0' });
    expect(sent[5]?.headers.authorization).not.toBe(sent[0]?.headers.authorization);
    expect(sent[0]?.headers['content-type']).toMatch(/^application\/cloudevents\+json/);
    expect(counted).toEqual([...Array(5).fill('failed failed'), 'failed sent']);
  });

  it('waits as long as the receiver asks', async () => {
    const { clock, webhook, sent } = setUp((count) =>
      count === 1 ? { status: 429, retryAfterMs: 90_000 } : { status: 200 },
    );
    webhook.offer(notice('a'));
    await clock.advance(89_999);
    expect(sent).toHaveLength(1);
    await clock.advance(1);
    expect(sent).toHaveLength(2);
  });

  it('gives up what is refused for good, and what is not taken for an hour', async () => {
    const { clock, webhook, sent, counted } = setUp((count) => ({ status: count === 1 ? 400 : 503 }));
    webhook.offer(notice('a'));
    webhook.offer(notice('b'));
    await clock.advance(2 * 3_600_000);
    expect(sent.filter(({ id }) => id === 'a')).toHaveLength(1);
    expect(counted.filter((one) => one === 'failed dropped')).toHaveLength(2);
    expect(sent.at(-1)?.at).toBeLessThanOrEqual(3_600_000);
    expect(clock.untilNext).toBeUndefined();
  });

  it('drops the oldest of too many, and never waits when one is offered', async () => {
    const taken = Promise.withResolvers<Posted>();
    const { clock, webhook, sent, counted } = setUp(() => taken.promise);
    for (let at = 0; at < 1_500; at++) webhook.offer(notice(`n${at}`));
    expect(webhook.waiting).toBe(1_000);
    taken.resolve({ status: 200 });
    await clock.advance(0);
    expect(sent).toHaveLength(1_001);
    expect([sent[0]?.id, sent[1]?.id, sent.at(-1)?.id]).toEqual(['n0', 'n500', 'n1499']);
    expect(counted.filter((one) => one === 'failed dropped')).toHaveLength(499);
  });

  it('gives up waiting for an answer after ten seconds, and stops when it is closed', async () => {
    const { clock, webhook, sent, lines } = setUp(() => new Promise<Posted>(() => undefined));
    webhook.offer(notice('a'));
    await clock.advance(10_000);
    expect(sent).toHaveLength(1);
    expect(lines).toEqual([]);
    webhook.close();
    webhook.offer(notice('b'));
    await clock.advance(100_000);
    expect(sent).toHaveLength(1);
  });

  it('tells nobody its address or its headers', async () => {
    const broken = Object.assign(new TypeError(`cannot reach ${url}`), { cause: { code: 'ECONNREFUSED' } });
    const { clock, webhook, lines } = setUp(() => Promise.reject(broken), { headersFrom: '/etc/h' });
    webhook.offer(notice('a'));
    await clock.advance(4_000_000);
    expect(lines.join('\n')).toContain('ECONNREFUSED');
    expect(lines.join('\n')).toContain('hooks.example');
    expect(lines.join('\n')).not.toMatch(/s3cret|hunter2/);
  });
});
