import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../clock/virtual.ts';
import { Client } from '../kube/client.ts';
import { inProcess } from '../kube/in-process-transport.ts';
import type { AnyObject } from '../kube/object.ts';
import { createMissing } from './create-missing.ts';

const lamp: AnyObject = { apiVersion: 'test.dev/v1', kind: 'Lamp', metadata: { namespace: 'a', name: 'one' } };

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** A server that answers requests for kinds and for lamps in turn; the last answer stays. */
function server(
  kinds: readonly number[],
  lamps: readonly number[],
): { client: Client; clock: VirtualClock; asked: string[] } {
  const clock = new VirtualClock();
  const asked: string[] = [];
  const left = { kinds: [...kinds], lamps: [...lamps] };
  const next = (from: number[]): number => (from.length > 1 ? from.shift() : from[0]) ?? 500;
  const transport = inProcess(async (request) => {
    asked.push(`${request.method} ${request.path}`);
    const isKinds = request.path === '/apis/test.dev/v1';
    const status = next(isKinds ? left.kinds : left.lamps);
    const list = { kind: 'APIResourceList', resources: [{ name: 'lamps', kind: 'Lamp', namespaced: true }] };
    const reason = status === 409 ? 'AlreadyExists' : 'Other';
    const body = status < 300 ? (isKinds ? list : lamp) : { kind: 'Status', status: 'Failure', code: status, reason };
    return { status, headers: { 'content-type': 'application/json' }, body: once(Buffer.from(JSON.stringify(body))) };
  });
  return { client: new Client(transport, { clock }), clock, asked };
}

async function run(kinds: readonly number[], lamps: readonly number[]): Promise<{ said: string; asked: number }> {
  const { client, clock, asked } = server(kinds, lamps);
  const done: boolean[] = [];
  const ended = createMissing(client, [lamp], {
    clock,
    signal: new AbortController().signal,
    timeoutMs: 10_000,
    onDone: (_, created) => void done.push(created),
  }).then(
    () => `${done}`,
    (error: Error) => error.message,
  );
  await clock.advance(60_000);
  return { said: await ended, asked: asked.length };
}

describe('what is missing', () => {
  it('is created', async () => expect(await run([200], [201])).toEqual({ said: 'true', asked: 2 }));

  it('is left alone when it is there', async () => expect((await run([200], [409])).said).toBe('false'));

  it('is waited for: its kind, its namespace, the right to create it, a server that fails', async () => {
    expect((await run([404, 404, 200], [403, 404, 500, 201])).said).toBe('true');
  });

  it('is given up at once when the server refuses it', async () => {
    const { said, asked } = await run([200], [422]);
    expect(said).toMatch(/POST \/apis\/test.dev\/v1\/namespaces\/a\/lamps/);
    expect(asked).toBe(2);
  });

  it('is given up when its time is over', async () => {
    const { said, asked } = await run([404], [201]);
    expect(said).toMatch(/GET \/apis\/test.dev\/v1/);
    expect(asked).toBe(11);
  });
});
