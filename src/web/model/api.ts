import type { Graph } from '../../portrait/graph.ts';
import type { Plan } from '../../portrait/plan.ts';
import type { VerbName } from '../../portrait/verb.ts';
import type { Session } from '../../portrait/wire.ts';

/** Why the server did not do what it was asked. */
export class Refused extends Error {
  /** The HTTP status; 0 when there was no answer at all. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The server's side of `wire.ts`, as calls. Each rejects with `Refused`, whose message is one line for a person. */
export interface Api {
  /** The session, and how far the server's clock is ahead of ours in milliseconds. */
  session(): Promise<{ readonly session: Session; readonly ahead: number }>;
  login(token: string): Promise<Session>;
  logout(csrf: string): Promise<void>;
  graph(id: string): Promise<Graph>;
  plan(id: string, patch: string, csrf: string): Promise<Plan>;
  act(id: string, verb: VerbName, csrf: string): Promise<{ readonly said: string }>;
  /** Hands over text as it comes, until the signal is aborted or the log ends. */
  logs(of: LogsOf, signal: AbortSignal, onText: (text: string) => void): Promise<void>;
}

export interface LogsOf {
  readonly id: string;
  readonly pod: string;
  readonly container: string;
}

export function api(fetch: typeof globalThis.fetch, now: () => number): Api {
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
    let response: Response;
    try {
      response = await fetch(path, { credentials: 'same-origin', cache: 'no-store', ...init });
    } catch (error) {
      if (init.signal?.aborted) throw error;
      throw new Refused(0, 'the server cannot be reached; is the operator running?');
    }
    if (!response.ok) throw new Refused(response.status, await reasonOf(response));
    return response;
  };
  const post = (path: string, body: unknown, csrf: string): Promise<Response> =>
    ask(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-cutover-csrf': csrf },
      body: JSON.stringify(body),
    });

  return {
    async session() {
      const response = await ask('/api/session');
      const session = (await response.json()) as Session;
      return { session, ahead: aheadBy(response.headers.get('date'), now()) };
    },
    login: async (token) => (await (await post('/api/login', { token }, '')).json()) as Session,
    logout: async (csrf) => void (await post('/api/logout', {}, csrf)),
    graph: async (id) => (await (await ask(`/api/graph?id=${encodeURIComponent(id)}`)).json()) as Graph,
    plan: async (id, patch, csrf) =>
      (await (await post(`/api/plan?id=${encodeURIComponent(id)}`, { patch }, csrf)).json()) as Plan,
    act: async (id, verb, csrf) =>
      (await (await post(`/api/do?id=${encodeURIComponent(id)}`, { verb, wish: {} }, csrf)).json()) as { said: string },
    async logs({ id, pod, container }, signal, onText) {
      const query = new URLSearchParams({ id, pod, container });
      const { body } = await ask(`/api/logs?${query}`, { signal });
      const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
      for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) onText(piece.value);
    },
  };
}

/** HTTP says the time in whole seconds, so a difference below two says nothing. */
function aheadBy(date: string | null, now: number): number {
  const ahead = Date.parse(date ?? '') - now;
  return Number.isNaN(ahead) || Math.abs(ahead) < 2000 ? 0 : ahead;
}

async function reasonOf(response: Response): Promise<string> {
  const answer: unknown = await response.json().catch(() => undefined);
  if (typeof answer === 'object' && answer !== null && 'error' in answer && typeof answer.error === 'string') {
    return answer.error;
  }
  return `the server answered ${response.status} ${response.statusText}`.trim();
}
