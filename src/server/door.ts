import type { Session as SessionOnWire } from '../portrait/wire.ts';
import type { Desk } from './api/desk.ts';
import { doIt } from './api/do.ts';
import { graph } from './api/graph.ts';
import { logs } from './api/logs.ts';
import { pageFor, pageJson } from './api/page.ts';
import { plan } from './api/plan.ts';
import type { Snapshots } from './fleet/snapshots.ts';
import { type Answer, type Asked, type Handler, json } from './http/asked.ts';
import type { SessionCookie } from './http/cookie.ts';
import { mustBeOurs } from './http/must-be-ours.ts';
import { Refusal } from './http/refusal.ts';
import type { LoggedIn, Login } from './login/login.ts';
import type { Session } from './login/session.ts';
import type { ServerMetrics } from './server-metrics.ts';
import type { Streams } from './stream/streams.ts';

export interface DoorOptions {
  readonly desk: Desk;
  readonly login: Login;
  readonly streams: Streams;
  readonly snapshots: Snapshots;
  readonly cookie: SessionCookie;
  readonly files: Handler;
  readonly metrics: ServerMetrics;
  /** Only this machine can reach it. */
  readonly loopback: boolean;
  readonly version: string;
}

type Route = (session: Session, asked: Asked) => Promise<Answer>;

/** Every request comes through here: who asks, whether the question is theirs, and who answers it. */
export function door(options: DoorOptions): Handler {
  const { desk, login, streams, snapshots, cookie, files, metrics, loopback, version } = options;
  const { readOnly } = desk;
  const shown = ({ who, csrf, expiresAt }: Session): SessionOnWire => ({
    user: who.name,
    readOnly,
    csrf,
    expiresAt: new Date(expiresAt).toISOString(),
    version,
  });
  const letIn = (entered: LoggedIn, answer: Answer): Answer => ({
    ...answer,
    headers: { ...answer.headers, 'set-cookie': cookie.write(entered.cookie) },
  });
  const brought = (asked: Asked): string | undefined => cookie.read(asked.header('cookie'));

  /** Without a session. */
  const open: Readonly<Record<string, Handler>> = {
    'POST /api/login': async (asked) => {
      const entered = await login.byToken(asked);
      const before = await login.whose(brought(asked), asked).catch(() => undefined);
      if (before) login.logout(before);
      return letIn(entered, json(shown(entered.session)));
    },
    'GET /open': async (asked) => {
      const inside: Answer = { status: 303, headers: { location: '/' } };
      try {
        return letIn(await login.byLink(asked), inside);
      } catch (error) {
        // Whoever clicks the link a second time is in already.
        const used = error instanceof Refusal && error.status === 401;
        if (used && (await login.whose(brought(asked), asked).catch(() => undefined))) return inside;
        throw error;
      }
    },
  };
  const reading: Readonly<Record<string, Route>> = {
    'GET /api/session': async (session) => json(shown(session)),
    'GET /api/page': async (session, asked) => {
      const page = await pageFor(desk, session, asked.query.get('id'));
      return { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' }, body: pageJson(page) };
    },
    'GET /api/graph': (session, asked) => graph(desk, session, asked),
    'GET /api/logs': (session, asked) => logs(desk, session, asked),
    'GET /api/stream': async (session, asked) => {
      streams.reserve(session, asked.left);
      const watch = asked.query.get('watch');
      // What could be refused is refused before the stream begins, where the browser can read why.
      await snapshots.for(session.access);
      return {
        status: 200,
        headers: { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' },
        stream: (outlet) => {
          streams.add({ desk, snapshots, session, outlet, log: desk.log, ...(watch !== null && { watch }) });
        },
      };
    },
  };
  const writing: Readonly<Record<string, Route>> = {
    'POST /api/logout': async (session) => {
      login.logout(session);
      return { status: 204, headers: { 'set-cookie': cookie.clear() } };
    },
    'POST /api/plan': (session, asked) => plan(desk, session, asked),
    'POST /api/do': (session, asked) => doIt(desk, session, asked, metrics),
  };

  return async (asked) => {
    mustBeOurs(asked, loopback);
    const { method, path } = asked;
    const name = `${method} ${path}`;
    if (Object.hasOwn(open, name)) return (open[name] as Handler)(asked);
    if (!path.startsWith('/api/')) return files(asked);
    const session = await login.whose(brought(asked), asked);
    if (!session) throw new Refusal(401, 'You are not logged in.');
    if (Object.hasOwn(writing, name)) {
      session.mustHave(asked.header('x-cutover-csrf'));
      return (writing[name] as Route)(session, asked);
    }
    if (!Object.hasOwn(reading, name)) throw new Refusal(404, 'There is nothing here.');
    mustHaveSeen(desk, name);
    return (reading[name] as Route)(session, asked);
  };
}

/** A fleet that has not been seen yet must not look like an empty one. @throws Refusal 503 */
function mustHaveSeen({ fleet }: Desk, name: string): void {
  const missing = name === 'GET /api/session' ? [] : fleet.missing();
  if (missing.length === 0) return;
  throw new Refusal(503, `The cluster has not been seen yet (${missing.join(', ')}). Try again in a moment.`, {
    'retry-after': '1',
  });
}
