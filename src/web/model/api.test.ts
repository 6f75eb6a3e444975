import { describe, expect, it } from 'vitest';
import { api, Refused } from './api.ts';

const now = Date.parse('2026-03-01T12:00:00Z');

function serverThat(answer: (path: string, init: RequestInit) => Response | Promise<Response>) {
  const seen: { path: string; init: RequestInit }[] = [];
  const fetch: typeof globalThis.fetch = async (path, init = {}) => {
    seen.push({ path: String(path), init });
    return answer(String(path), init);
  };
  return { seen, api: api(fetch, () => now) };
}

describe('the api', () => {
  it('tells how far the clock of the server is ahead, unless that is less than a header can say', async () => {
    const at = (date: string) => serverThat(() => Response.json({ user: 'ada' }, { headers: { date } })).api.session();
    expect(await at('Sun, 01 Mar 2026 12:05:00 GMT')).toEqual({ session: { user: 'ada' }, ahead: 300_000 });
    expect((await at('Sun, 01 Mar 2026 12:00:01 GMT')).ahead).toBe(0);
    expect((await at('today')).ahead).toBe(0);
  });

  it('sends the mark against forgery with everything that writes', async () => {
    const server = serverThat(() => Response.json({ said: 'done' }));
    expect(await server.api.act('Instance/a/b', 'promote', 'c5rf')).toEqual({ said: 'done' });
    const [{ path, init } = { path: '', init: {} }] = server.seen;
    expect(path).toBe('/api/do?id=Instance%2Fa%2Fb');
    expect(new Headers(init.headers).get('x-cutover-csrf')).toBe('c5rf');
    expect(JSON.parse(String(init.body))).toEqual({ verb: 'promote', wish: {} });
  });

  it('refuses in the words of the server', async () => {
    const server = serverThat(() => Response.json({ error: 'ada may not patch instances' }, { status: 403 }));
    await expect(server.api.plan('a', '{}', '')).rejects.toThrow('ada may not patch instances');
    await expect(server.api.plan('a', '{}', '')).rejects.toMatchObject({ status: 403 });
  });

  it('says something of an answer without words', async () => {
    const server = serverThat(() => new Response('<html>', { status: 502, statusText: 'Bad Gateway' }));
    await expect(server.api.graph('a')).rejects.toThrow('the server answered 502 Bad Gateway');
  });

  it('says that nobody answered', async () => {
    const server = serverThat(() => Promise.reject(new TypeError('fetch failed')));
    await expect(server.api.session()).rejects.toEqual(
      new Refused(0, 'the server cannot be reached; is the operator running?'),
    );
  });

  it('hands over a log as it comes', async () => {
    const body = new ReadableStream({
      start(controller) {
        for (const piece of ['one\n', 'tw\xc3', '\xbc\n']) {
          controller.enqueue(Uint8Array.from(piece, (character) => character.charCodeAt(0)));
        }
        controller.close();
      },
    });
    const server = serverThat(() => new Response(body));
    let text = '';
    await server.api.logs({ id: 'a', pod: 'p', container: 'c' }, new AbortController().signal, (piece) => {
      text += piece;
    });
    expect(text).toBe('one\ntwü\n');
    expect(server.seen[0]?.path).toBe('/api/logs?id=a&pod=p&container=c');
  });
});
