import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Summary } from '../../portrait/summary.ts';
import type { Session } from '../../portrait/wire.ts';
import { type Api, Refused } from './api.ts';
import { type Connection, connection, type Link, type Source } from './connection.ts';
import { type Heard, heard, type Told } from './heard.ts';
import { pathOf, type Route, routeOf, watchedIn } from './route.ts';

export interface Toast {
  readonly id: number;
  readonly good: boolean;
  readonly text: string;
}

/** What the browser gives, so that all of it could be played by a test. */
export interface Browser {
  readonly api: Api;
  readonly open: (url: string) => Source;
  readonly now: () => number;
  readonly window: Window;
}

/** All that the page knows. Views read signals and call these; nobody else writes them. */
export interface Dashboard {
  readonly api: Api;
  readonly route: ReadonlySignal<Route>;
  /** `unknown` until the server was asked for the first time. */
  readonly session: ReadonlySignal<Session | 'unknown' | 'none'>;
  readonly link: ReadonlySignal<Link>;
  readonly told: ReadonlySignal<Told>;
  /** Those that are listed: what another one made is shown by that one. */
  readonly listed: ReadonlySignal<readonly Summary[]>;
  /** Milliseconds since 1970 by the server's clock, once a second. */
  readonly now: ReadonlySignal<number>;
  readonly toasts: ReadonlySignal<readonly Toast[]>;
  /** Why there is no session, when the server said something about it. */
  readonly problem: ReadonlySignal<string | undefined>;
  go(route: Route, how?: 'push' | 'replace'): void;
  /** The workload that somebody has just come back from. */
  readonly cameFrom: ReadonlySignal<string | undefined>;
  /** From a graph to its workload, from there to the fleet, filtered as it was. */
  up(): void;
  toast(text: string, good: boolean): void;
  dismiss(id: number): void;
  /** Takes the session of somebody who has just logged in. */
  entered(session: Session): void;
  logout(): Promise<void>;
  start(): void;
}

const over = 'Your session is over. Log in again to go on.';

/** How long a page that nobody looks at goes on: its title may be watched. */
const unseenMs = 5 * 60_000;

export function dashboard({ api, open, now: clock, window }: Browser): Dashboard {
  const route = signal(routeOf(window.location.pathname, window.location.search));
  const session: Signal<Session | 'unknown' | 'none'> = signal('unknown');
  const link = signal<Link>('connecting');
  const told = signal<Told>({});
  const toasts = signal<readonly Toast[]>([]);
  const problem = signal<string | undefined>(undefined);
  const cameFrom = signal<string | undefined>(undefined);
  const ahead = signal(0);
  const now = signal(clock());
  const listed = computed(() => [...(told.value.fleet?.values() ?? [])].filter((one) => one.partOf === undefined));
  let stream: Connection | undefined;
  let lastToast = 0;
  let lastQuery = '';

  /** Many events at once, as after a reconnect, are one change of the page. */
  let waiting: Heard[] = [];
  const hear = (): void => {
    const events = waiting;
    waiting = [];
    told.value = heard(told.value, events);
  };
  const onHeard = (event: Heard): void => {
    waiting.push(event);
    if (waiting.length > 1) return;
    // A page that nobody looks at has no frames, and must still be right when they come back.
    if (window.document.hidden) window.setTimeout(hear, 200);
    else window.requestAnimationFrame(hear);
  };

  const toast = (text: string, good: boolean): void => {
    lastToast += 1;
    const id = lastToast;
    toasts.value = [...toasts.value.slice(-3), { id, good, text }];
    if (good) window.setTimeout(() => dismiss(id), 8000);
  };
  const dismiss = (id: number): void => {
    toasts.value = toasts.value.filter((one) => one.id !== id);
  };

  const leave = (why: string | undefined): void => {
    stream?.close();
    stream = undefined;
    batch(() => {
      session.value = 'none';
      problem.value = why;
      told.value = {};
    });
  };

  /** Whatever is asked for: an answer that there is no session leads to the login. */
  const guarded =
    <A extends readonly unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      try {
        return await call(...args);
      } catch (error) {
        if (error instanceof Refused && error.status === 401) leave(over);
        throw error;
      }
    };

  const check = async (): Promise<'yes' | 'no' | 'unreachable'> => {
    try {
      const found = await api.session();
      const before = session.value;
      if (typeof before === 'object' && before.version !== found.session.version) window.location.reload();
      ahead.value = found.ahead;
      session.value = found.session;
      return 'yes';
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 401) return 'unreachable';
      leave(session.value === 'unknown' ? undefined : over);
      return 'no';
    }
  };

  const connect = (): void => {
    stream?.close();
    const after = (ms: number, then: () => void): (() => void) => {
      const timer = window.setTimeout(then, ms);
      return () => window.clearTimeout(timer);
    };
    stream = connection({ open, after, check, onHeard, onLink: (to) => (link.value = to) }, watchedIn(route.value));
  };

  const arrive = (to: Route): void => {
    const watched = watchedIn(to);
    batch(() => {
      if (watched !== watchedIn(route.value)) {
        const { page: _page, missing: _missing, ...rest } = told.value;
        told.value = rest;
      }
      cameFrom.value = watchedIn(route.value);
      route.value = to;
    });
    if (to.at === 'fleet') lastQuery = to.query;
    stream?.watch(watched);
  };

  const first = async (): Promise<void> => {
    const there = await check();
    if (there === 'yes') return connect();
    if (there === 'no') return;
    link.value = 'reconnecting';
    window.setTimeout(first, 2000);
  };

  return {
    api: {
      ...api,
      graph: guarded(api.graph),
      plan: guarded(api.plan),
      act: guarded(api.act),
      logs: guarded(api.logs),
    },
    route,
    session,
    link,
    told,
    listed,
    now,
    toasts,
    problem,
    cameFrom,
    go(to, how = 'push') {
      const path = pathOf(to);
      if (how === 'push') window.history.pushState(null, '', path);
      else window.history.replaceState(null, '', path);
      arrive(to);
    },
    up() {
      const { value } = route;
      this.go(value.at === 'graph' ? { at: 'workload', id: value.id } : { at: 'fleet', query: lastQuery });
    },
    toast,
    dismiss,
    entered(given) {
      batch(() => {
        session.value = given;
        problem.value = undefined;
      });
      if (route.value.at === 'login') this.go({ at: 'fleet', query: '' }, 'replace');
      connect();
    },
    async logout() {
      const { value } = session;
      if (typeof value === 'object') await api.logout(value.csrf).catch(() => undefined);
      leave(undefined);
    },
    start() {
      window.addEventListener('popstate', () => arrive(routeOf(window.location.pathname, window.location.search)));
      window.addEventListener('online', () => stream?.hurry());
      let rest: number | undefined;
      window.document.addEventListener('visibilitychange', () => {
        window.clearTimeout(rest);
        if (window.document.hidden) rest = window.setTimeout(() => stream?.rest(), unseenMs);
        else stream?.hurry();
      });
      window.setInterval(() => {
        if (!window.document.hidden) now.value = clock() + ahead.value;
      }, 1000);
      first();
    },
  };
}
