import { describe, expect, it } from 'vitest';
import type { Session } from '../../portrait/wire.ts';
import { type Api, Refused } from './api.ts';
import { type Dashboard, dashboard } from './dashboard.ts';
import { summaryOf } from './summary.fixture.ts';

const ada: Session = { user: 'ada', readOnly: false, csrf: 'c', expiresAt: '', version: '1' };
const now = Date.parse('2026-03-01T12:00:00Z');

/** A browser at an address, whose timers and frames come when the test says so. */
class FakeBrowser {
  readonly paths: string[] = [];
  readonly streams: { readonly url: string; closed: boolean; say(name: string, data?: unknown): void }[] = [];
  session: () => Promise<{ session: Session; ahead: number }> = async () => ({ session: ada, ahead: 0 });
  reloads = 0;
  private readonly due: (() => void)[] = [];
  private readonly ticks: (() => void)[] = [];
  private readonly listeners = new Map<string, () => void>();
  readonly desk: Dashboard;

  constructor(path: string) {
    const [pathname = '', search = ''] = path.split('?');
    const listen = (name: string, on: () => void): void => void this.listeners.set(name, on);
    const window = {
      location: { pathname, search, reload: () => this.reloads++ },
      history: {
        pushState: (_state: unknown, _title: string, to: string) => this.paths.push(`+${to}`),
        replaceState: (_state: unknown, _title: string, to: string) => this.paths.push(`=${to}`),
      },
      document: { hidden: false, addEventListener: listen },
      addEventListener: listen,
      requestAnimationFrame: (then: () => void) => this.due.push(then),
      setTimeout: (then: () => void) => this.due.push(then),
      clearTimeout: () => undefined,
      setInterval: (then: () => void) => this.ticks.push(then),
    } as unknown as Window;
    const api = {
      session: () => this.session(),
      logout: async () => undefined,
      act: () => Promise.reject(new Refused(401, 'log in again')),
    } as unknown as Api;
    this.desk = dashboard({ api, open: (url) => this.open(url), now: () => now, window });
  }

  private open(url: string) {
    const on = new Map<string, (event: { data?: unknown }) => void>();
    const stream = {
      url,
      closed: false,
      close: () => {
        stream.closed = true;
      },
      addEventListener: (name: string, then: (event: { data?: unknown }) => void) => void on.set(name, then),
      say: (name: string, data?: unknown) => on.get(name)?.({ data: JSON.stringify(data) }),
    };
    this.streams.push(stream);
    return stream;
  }

  /** Everything that waits happens, and what it leads to. */
  async settle(): Promise<void> {
    for (let round = 0; round < 5; round += 1) {
      for (const then of this.due.splice(0)) then();
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
  }

  tick(): void {
    for (const tick of this.ticks) tick();
  }
}

async function opened(path: string): Promise<FakeBrowser> {
  const browser = new FakeBrowser(path);
  browser.desk.start();
  await browser.settle();
  return browser;
}

describe('the dashboard', () => {
  it('asks who it is for, then listens to the fleet and to the workload of the address', async () => {
    const { desk, streams, settle, ...rest } = await opened('/w/Instance/a/b');
    expect(desk.session.value).toBe(ada);
    expect(streams.map(({ url }) => url)).toEqual(['/api/stream?watch=Instance%2Fa%2Fb']);
    expect(rest.reloads).toBe(0);
  });

  it('hears many events as one change, and lists what speaks for itself', async () => {
    const browser = await opened('/');
    let changes = -1;
    browser.desk.told.subscribe(() => {
      changes += 1;
    });
    const part = summaryOf({ partOf: { kind: 'FlinkBlueGreenDeployment', name: 'orders' } }, { name: 'orders-blue' });
    browser.streams[0]?.say('fleet', [summaryOf()]);
    browser.streams[0]?.say('changed', part);
    await browser.settle();
    expect(changes).toBe(1);
    expect(browser.desk.listed.value.map((one) => one.subject.name)).toEqual(['orders']);
  });

  it('shows the login at an address that stays, and goes on there', async () => {
    const browser = new FakeBrowser('/w/Instance/a/b');
    browser.session = () => Promise.reject(new Refused(401, 'log in'));
    browser.desk.start();
    await browser.settle();
    expect(browser.desk.session.value).toBe('none');
    expect(browser.desk.problem.value).toBeUndefined();
    browser.desk.entered(ada);
    expect(browser.desk.route.value).toEqual({ at: 'workload', id: 'Instance/a/b' });
    expect(browser.streams).toHaveLength(1);
  });

  it('says so when a session is over, and forgets what it was told', async () => {
    const browser = await opened('/');
    browser.streams[0]?.say('fleet', [summaryOf()]);
    await browser.settle();
    browser.session = () => Promise.reject(new Refused(401, 'log in'));
    browser.streams[0]?.say('error');
    await browser.settle();
    expect(browser.desk.session.value).toBe('none');
    expect(browser.desk.problem.value).toContain('session is over');
    expect(browser.desk.told.value).toEqual({});
  });

  it('leads to the login when something is refused for want of a session', async () => {
    const { desk, streams } = await opened('/');
    await expect(desk.api.act('Instance/a/b', 'pause', 'c')).rejects.toThrow('log in again');
    expect(desk.session.value).toBe('none');
    expect(streams[0]?.closed).toBe(true);
  });

  it('loads itself anew when the server has become another version', async () => {
    const browser = await opened('/');
    browser.session = async () => ({ session: { ...ada, version: '2' }, ahead: 0 });
    browser.streams[0]?.say('error');
    await browser.settle();
    expect(browser.reloads).toBe(1);
  });

  it('goes up to the fleet as it was filtered, and says where one came from', async () => {
    const { desk, paths, streams } = await opened('/');
    desk.go({ at: 'fleet', query: 'q=ord' }, 'replace');
    desk.go({ at: 'graph', id: 'Instance/a/b' });
    desk.up();
    desk.up();
    expect(paths).toEqual(['=/?q=ord', '+/w/Instance/a/b/graph', '+/w/Instance/a/b', '+/?q=ord']);
    expect(desk.cameFrom.value).toBe('Instance/a/b');
    expect(streams.map(({ url, closed }) => `${url} ${closed}`)).toEqual([
      '/api/stream true',
      '/api/stream?watch=Instance%2Fa%2Fb true',
      '/api/stream false',
    ]);
  });

  it('tells the time of the server', async () => {
    const browser = new FakeBrowser('/');
    browser.session = async () => ({ session: ada, ahead: 60_000 });
    browser.desk.start();
    await browser.settle();
    browser.tick();
    expect(browser.desk.now.value).toBe(now + 60_000);
  });
});
