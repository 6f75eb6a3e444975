import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { Client } from './client.ts';
import { inProcess } from './in-process-transport.ts';
import { kinds } from './kinds.ts';
import type { Channel, Request } from './transport.ts';

/** A channel on which the server says `messages` and then closes. */
function scripted(messages: readonly (readonly [number, string])[]) {
  const sent: number[][] = [];
  const requests: Request[] = [];
  let closed = false;
  const channel: Channel = {
    protocol: 'v5.channel.k8s.io',
    messages: (async function* () {
      for (const [stream, text] of messages) yield Buffer.concat([Buffer.of(stream), Buffer.from(text)]);
    })(),
    send: (message) => sent.push([...message]),
    close: () => {
      closed = true;
    },
  };
  const transport = inProcess(
    () => Promise.reject(new Error('no requests here')),
    async (request) => {
      requests.push(request);
      return channel;
    },
  );
  const pods = new Client(transport).resource(kinds.pods);
  return { pods, sent, requests, isClosed: () => closed };
}

// As kubelets send them: without a kind.
const success = JSON.stringify({ metadata: {}, status: 'Success' });
const exitCode = (code: number): string =>
  JSON.stringify({
    metadata: {},
    status: 'Failure',
    reason: 'NonZeroExitCode',
    message: `command terminated with exit code ${code}`,
    details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
  });

const run = async (...messages: (readonly [number, string])[]) => {
  const script = scripted(messages);
  const session = await script.pods.exec(
    { namespace: 'ns', name: 'a' },
    { command: ['sh', '-c', 'echo a&b'], container: 'c' },
  );
  const printed: string[] = [];
  const reading = (async () => {
    for await (const { stream, data } of session.output) printed.push(`${stream}: ${Buffer.from(data)}`);
  })();
  return { ...script, session, printed, reading };
};

describe('a command in a container', () => {
  it('prints on two streams and ends with success', async () => {
    const { session, printed, reading, requests, isClosed } = await run([1, 'out'], [2, 'err'], [3, success]);
    await reading;
    expect(printed).toEqual(['stdout: out', 'stderr: err']);
    expect(await session.exit).toBe(0);
    expect(isClosed()).toBe(true);
    expect(requests[0]?.path).toBe(
      '/api/v1/namespaces/ns/pods/a/exec?container=c&stdin=false&stdout=true&stderr=true&tty=false&command=sh&command=-c&command=echo%20a%26b',
    );
    // The API server refuses a channel to whoever wants JSON.
    expect(requests[0]?.headers?.accept).toBe('*/*');
  });

  it('ends with its own exit code', async () => {
    const { session, reading } = await run([3, exitCode(42)]);
    await reading;
    expect(await session.exit).toBe(42);
  });

  it('fails when it could not be started', async () => {
    const status = {
      kind: 'Status',
      status: 'Failure',
      reason: 'InternalError',
      code: 500,
      message: 'no such container',
    };
    const { session, reading } = await run([3, JSON.stringify(status)]);
    await reading;
    await expect(session.exit).rejects.toMatchObject({ kind: 'server', message: 'exec in pods a: no such container' });
  });

  it('fails when the channel closes before it ended', async () => {
    const { session, reading } = await run([1, 'half']);
    await reading;
    await expect(session.exit).rejects.toMatchObject({ kind: 'unreachable' });
  });

  it('leaves no listener on the signal of the caller', async () => {
    const { signal } = new AbortController();
    const { pods } = scripted([[3, success]]);
    const session = await pods.exec({ namespace: 'ns', name: 'a' }, { command: ['true'], signal });
    for await (const _ of session.output);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('reads what is written to it', async () => {
    const { session, reading, sent } = await run([3, success]);
    session.write(Buffer.from('hi'));
    session.resize(80, 24);
    session.end();
    await reading;
    expect(sent[0]).toEqual([0, ...Buffer.from('hi')]);
    expect(sent[1]).toEqual([4, ...Buffer.from('{"Width":80,"Height":24}')]);
    expect(sent[2]).toEqual([255, 0]);
  });
});
