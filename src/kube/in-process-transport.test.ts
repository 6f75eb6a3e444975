import { describe, expect, it } from 'vitest';
import { inProcess } from './in-process-transport.ts';
import type { Response } from './transport.ts';

const get = { method: 'GET', path: '/x' } as const;

/** A body that says one thing and then waits for ever, deaf to any signal. */
async function* deaf(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('first');
  await new Promise(() => {});
}

const answering = (body: AsyncIterable<Uint8Array>): Promise<Response> =>
  Promise.resolve({ status: 200, headers: {}, body });

describe('a transport in the same process', () => {
  it('ends a body that does not listen when the caller aborts', async () => {
    const controller = new AbortController();
    const response = await inProcess(() => answering(deaf())).request({ ...get, signal: controller.signal });
    const heard: string[] = [];
    const reading = (async () => {
      for await (const chunk of response.body) {
        heard.push(Buffer.from(chunk).toString());
        setImmediate(() => controller.abort());
      }
    })();
    await expect(reading).rejects.toMatchObject({ kind: 'aborted', message: 'GET /x: aborted by the caller' });
    expect(heard).toEqual(['first']);
  });

  it('ends everything when it is closed, and takes nothing more', async () => {
    const transport = inProcess((request) => (request.path === '/x' ? answering(deaf()) : new Promise(() => {})));
    const response = await transport.request(get);
    const reading = expect(
      (async () => {
        for await (const _ of response.body);
      })(),
    ).rejects.toMatchObject({ kind: 'aborted' });
    const waiting = expect(transport.request({ ...get, path: '/y' })).rejects.toMatchObject({ kind: 'aborted' });
    await new Promise((resolve) => setImmediate(resolve));
    await transport.close();
    await reading;
    await waiting;
    await expect(transport.request(get)).rejects.toMatchObject({ kind: 'unreachable' });
  });

  it('tells the handler when the reader leaves', async () => {
    let signal: AbortSignal | undefined;
    const transport = inProcess((request) => {
      signal = request.signal;
      return answering(deaf());
    });
    for await (const _ of (await transport.request(get)).body) break;
    expect(signal?.aborted).toBe(true);
  });

  it('takes an exception of the handler or of a body for a broken connection', async () => {
    const transport = inProcess(async (request) => {
      if (request.path === '/x') throw new TypeError('bug');
      return answering(
        (async function* () {
          yield Buffer.from('half');
          throw new Error('cut');
        })(),
      );
    });
    await expect(transport.request(get)).rejects.toMatchObject({ kind: 'unreachable', message: 'GET /x: bug' });
    const response = await transport.request({ ...get, path: '/y' });
    const reading = (async () => {
      for await (const _ of response.body);
    })();
    await expect(reading).rejects.toMatchObject({ kind: 'unreachable', message: 'GET /y: cut' });
  });

  it('leaves no listeners on the signal of the caller', async () => {
    const controller = new AbortController();
    const transport = inProcess(() => answering((async function* () {})()));
    let listeners = 0;
    const { addEventListener, removeEventListener } = controller.signal;
    controller.signal.addEventListener = (...args: unknown[]) => {
      listeners++;
      return Reflect.apply(addEventListener, controller.signal, args);
    };
    controller.signal.removeEventListener = (...args: unknown[]) => {
      listeners--;
      return Reflect.apply(removeEventListener, controller.signal, args);
    };
    for (let i = 0; i < 3; i++) {
      for await (const _ of (await transport.request({ ...get, signal: controller.signal })).body);
    }
    expect(listeners).toBe(0);
  });
});
