import { describe, expect, it } from 'vitest';
import { noVersion } from '../../control/decision.ts';
import type { PortError } from '../../control/port.ts';
import { Client } from '../../kube/client.ts';
import { inProcess } from '../../kube/in-process-transport.ts';
import type { Json } from '../../kube/object.ts';
import type { Channel, Response } from '../../kube/transport.ts';
import type { Collection } from '../decide/task/pipe-work.ts';
import { annotations } from '../keys.ts';
import { fileHeader } from '../package/archive/tar-header.ts';
import { pipePort } from './pipe.ts';

interface Ran {
  readonly code: number;
  readonly out?: string | Buffer;
  readonly err?: string;
}

/** An API server with one pod, and what is done to it. */
class Server {
  readonly objects = new Map<string, Record<string, Json>>();
  readonly applied: { path: string; body: Record<string, Json> }[] = [];
  /** What answers instead, by method and path. */
  readonly failing = new Map<string, number>();
  /** It does not say what it did not find. */
  isBare = false;
  readonly ran: string[][] = [];
  run: (command: readonly string[]) => Ran = ([command = '', ...args]) => this.#busybox(command, args);
  files = new Map<string, Buffer>();

  constructor() {
    this.objects.set('/api/v1/namespaces/ns/pods/p', { kind: 'Pod', metadata: { name: 'p', uid: 'pod-uid' } });
  }

  client(): Client {
    return new Client(
      inProcess(
        async ({ method, path, body }) => {
          const [bare = ''] = path.split('?');
          const failing = this.failing.get(`${method} ${bare}`);
          if (failing !== undefined) return answer(failing, { kind: 'Status', status: 'Failure', message: 'no' });
          if (method === 'PATCH') {
            const object = JSON.parse(String(body)) as Record<string, Json>;
            this.applied.push({ path, body: object });
            this.objects.set(bare, object);
            return answer(200, object);
          }
          const found = this.objects.get(bare);
          const details = this.isBare ? {} : { name: bare.slice(bare.lastIndexOf('/') + 1) };
          const missing = { kind: 'Status', status: 'Failure', reason: 'NotFound', details };
          return found ? answer(200, found) : answer(404, missing);
        },
        async ({ path }) => {
          const { searchParams } = new URL(path, 'http://server');
          expect(searchParams.get('container')).toBe('waiter');
          const command = searchParams.getAll('command');
          this.ran.push(command);
          return channel(this.run(command));
        },
      ),
    );
  }

  #busybox(command: string, args: readonly string[]): Ran {
    const path = args.at(-1) ?? '';
    const content = this.files.get(path);
    if (!content) return { code: 1, err: `${command}: can't open '${path}': No such file or directory\n` };
    if (command === 'stat') return { code: 0, out: `${content.length}\n` };
    return { code: 0, out: archive(path.slice(1), content), err: "tar: removing leading '/' from member names\n" };
  }
}

function archive(path: string, content: Buffer): Buffer {
  const padding = Buffer.alloc(-content.length & 511);
  return Buffer.concat([fileHeader(path, content.length), content, padding, Buffer.alloc(1024)]);
}

function answer(status: number, body: unknown): Response {
  const bytes = Buffer.from(JSON.stringify(body));
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: (async function* () {
      yield bytes;
    })(),
  };
}

function channel({ code, out = '', err = '' }: Ran): Channel {
  const outcome =
    code === 0
      ? { metadata: {}, status: 'Success' }
      : {
          metadata: {},
          status: 'Failure',
          reason: 'NonZeroExitCode',
          details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
        };
  return {
    protocol: 'v5.channel.k8s.io',
    messages: (async function* () {
      const bytes = Buffer.from(out);
      for (let at = 0; at < bytes.length; at += 4096) {
        yield Buffer.concat([Buffer.of(1), bytes.subarray(at, at + 4096)]);
      }
      if (err) yield Buffer.concat([Buffer.of(2), Buffer.from(err)]);
      yield Buffer.concat([Buffer.of(3), Buffer.from(JSON.stringify(outcome))]);
    })(),
    send: () => {},
    close: () => {},
  };
}

const artifact = (kind: 'ConfigMap' | 'Secret', name: string) => ({
  apiVersion: 'v1',
  kind,
  metadata: {
    name,
    namespace: 'ns',
    ownerReferences: [{ apiVersion: 'kudo.dev/v1beta1', kind: 'Instance', name: 'i', uid: 'instance-uid' }],
    annotations: { [annotations.planUid]: 'now', [annotations.lastApplied]: '{}', [annotations.contentHash]: 'old' },
  },
});

const certificate = { path: '/out/tls.crt', as: 'file', object: artifact('ConfigMap', 'c') } as const;
const variables = { path: '/out/env', as: 'envFile', object: artifact('Secret', 's') } as const;

async function collect(server: Server, files: Collection['files'] = [certificate, variables], uid = 'pod-uid') {
  const { collect: verb } = pipePort(server.client());
  const args = { pod: { namespace: 'ns', name: 'p', uid }, files } as unknown as Json;
  const { signal } = new AbortController();
  return verb({ id: 'call', args, signal, revoked: signal });
}

async function failure(server: Server, files?: Collection['files'], uid?: string): Promise<PortError> {
  return collect(server, files, uid).then(
    () => expect.fail('it worked'),
    (error: PortError) => error,
  );
}

function filled(): Server {
  const server = new Server();
  server.files = new Map([
    ['/out/tls.crt', Buffer.from([0, 255, 10])],
    ['/out/env', Buffer.from('USER=me\nPASSWORD=s3cret\n')],
  ]);
  return server;
}

describe('collecting the files of a pod', () => {
  it('asks for sizes and archives, and applies what they become', async () => {
    const server = filled();
    expect(await collect(server)).toEqual({ artifacts: ['ConfigMap c', 'Secret s'] });
    expect(server.ran).toEqual([
      ['stat', '-c', '%s', '/out/tls.crt'],
      ['tar', 'cf', '-', '/out/tls.crt'],
      ['stat', '-c', '%s', '/out/env'],
      ['tar', 'cf', '-', '/out/env'],
    ]);
    const [first, second] = server.applied;
    expect(first?.path).toContain('/configmaps/c?');
    expect(first?.path).toContain('fieldManager=cutover-kudo');
    expect(first?.body).toMatchObject({ binaryData: { 'tls.crt': 'AP8K' } });
    expect(second?.body).toMatchObject({ data: { USER: 'bWU=', PASSWORD: 'czNjcmV0' } });
  });

  it('says of a ConfigMap what was applied, and of a Secret only its hash', async () => {
    const server = filled();
    await collect(server);
    const [first, second] = server.applied.map(
      ({ body }) => (body.metadata as { annotations: Record<string, string> }).annotations,
    );
    expect(JSON.parse(first?.[annotations.lastApplied] ?? '')).toMatchObject({
      binaryData: { 'tls.crt': 'AP8K' },
      metadata: { annotations: { [annotations.planUid]: 'now' } },
    });
    expect(second?.[annotations.lastApplied]).toBeUndefined();
    expect(second?.[annotations.contentHash]).toMatch(/^[0-9a-f]{32}$/);
    expect(second?.[annotations.planUid]).toBe('now');
  });

  it('keeps variables of a ConfigMap as texts, and files of a Secret as bytes', async () => {
    const server = filled();
    await collect(server, [
      { ...variables, object: artifact('ConfigMap', 'c') },
      { ...certificate, object: artifact('Secret', 's') },
    ]);
    const [first, second] = server.applied;
    expect(first?.body.data).toEqual({ USER: 'me', PASSWORD: 's3cret' });
    expect(second?.body.data).toEqual({ 'tls.crt': 'AP8K' });
  });

  it('may be done twice', async () => {
    const server = filled();
    await collect(server);
    const [first, second] = server.applied.splice(0);
    await collect(server);
    expect(server.applied).toEqual([first, second]);
  });

  it('writes nothing before all files are there', async () => {
    const server = filled();
    server.files.delete('/out/env');
    expect(await failure(server)).toMatchObject({ kind: 'refused' });
    expect(server.applied).toEqual([]);
  });

  it('passes on neither content nor cause when the server refuses', async () => {
    const server = filled();
    server.failing.set('PATCH /api/v1/namespaces/ns/secrets/s', 422);
    const error = await failure(server);
    expect(error.cause).toBeUndefined();
    expect(error.message).toMatch(/^Secret s: /);
    expect(error.message).not.toContain('czNjcmV0');
  });

  it.each([403, 409, 422, 429, 500, 503])('may be tried again after %i', async (status) => {
    const server = filled();
    server.failing.set('PATCH /api/v1/namespaces/ns/configmaps/c', status);
    expect(await failure(server)).toMatchObject({ kind: 'unknown' });
  });

  it('leaves alone what belongs to somebody else', async () => {
    const server = filled();
    server.objects.set('/api/v1/namespaces/ns/secrets/s', { kind: 'Secret', metadata: { name: 's' } });
    const error = await failure(server);
    expect(error).toMatchObject({ kind: 'unknown' });
    expect(error.message).toContain('Secret s exists and belongs to somebody else');
    expect(server.applied.map(({ body }) => body.kind)).toEqual(['ConfigMap']);
  });

  it('applies only over the version that it has seen to be ours', async () => {
    const server = filled();
    const old = artifact('ConfigMap', 'c');
    const live = { ...old, metadata: { ...old.metadata, resourceVersion: '77' } };
    server.objects.set('/api/v1/namespaces/ns/configmaps/c', live as unknown as Record<string, Json>);
    await collect(server);
    expect(server.applied[0]?.body.metadata).toMatchObject({ resourceVersion: '77' });
  });

  it('makes what is not there with a version that no object has: a request may arrive late', async () => {
    const server = filled();
    await collect(server);
    expect(server.applied.map(({ body }) => body.metadata)).toMatchObject([
      { resourceVersion: noVersion },
      { resourceVersion: noVersion },
    ]);
  });

  it('makes nothing that the server does not say is not there', async () => {
    const server = filled();
    server.isBare = true;
    expect(await failure(server)).toMatchObject({ kind: 'unknown' });
    expect(server.applied).toEqual([]);
  });

  it('asks no other pod of the same name, and none that is gone', async () => {
    const server = filled();
    expect(await failure(server, undefined, 'another')).toMatchObject({ kind: 'unknown' });
    server.objects.clear();
    expect(await failure(server)).toMatchObject({ kind: 'unknown' });
    expect(server.ran).toEqual([]);
  });
});

describe('a file that cannot be had', () => {
  const one = [certificate];
  const asked = (stat: Ran, tar: Ran = { code: 0 }): Server => {
    const server = filled();
    server.run = ([command]) => (command === 'stat' ? stat : tar);
    return server;
  };
  const size = { code: 0, out: '3\n' };
  const link = (() => {
    const header = fileHeader('out/tls.crt', 0);
    header.write('2', 156, 'latin1');
    header.write('        ', 148, 'latin1');
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
    return Buffer.concat([header, Buffer.alloc(1024)]);
  })();

  it.each([
    [
      'is not there',
      asked({ code: 1, err: "stat: can't stat '/out/tls.crt': No such file or directory\r\n" }),
      "command failed: failed to get the size of /out/tls.crt, err: command terminated with exit code 1, stderr: stat: can't stat '/out/tls.crt': No such file or directory",
    ],
    [
      'is too large',
      asked({ code: 0, out: '1048577\n' }),
      'pipe file /out/tls.crt size 1048577 exceeds maximum file size of 1048576 bytes',
    ],
    [
      'is larger than it said',
      asked(size, { code: 0, out: Buffer.alloc(1_200_000) }),
      'pipe file /out/tls.crt is larger than 1048576 bytes',
    ],
    [
      'has no size',
      asked({ code: 0, out: 'hello\n' }),
      'failed to parse the size of the file /out/tls.crt: it is no number',
    ],
    [
      'has a size without end',
      asked({ code: 0, out: '1'.repeat(100_000) }),
      'failed to parse the size of the file /out/tls.crt: it is no number',
    ],
    [
      'cannot be read',
      asked(size, { code: 1, err: 'tar: denied\n' }),
      'command failed: failed to copy pipe file. err: command terminated with exit code 1, stderr: tar: denied',
    ],
    [
      'is a folder',
      asked(size, { code: 0, out: Buffer.alloc(1024) }),
      'failed to untar pipe file: /out/tls.crt is not a file',
    ],
    [
      'is another one',
      asked(size, { code: 0, out: archive('out/other', Buffer.from('x')) }),
      'failed to untar pipe file: /out/tls.crt is not a file',
    ],
    [
      'is no archive',
      asked(size, { code: 0, out: 'x'.repeat(2048) }),
      /^failed to untar pipe file: .*not a tar archive/,
    ],
    ['is a link', asked(size, { code: 0, out: link }), /^failed to untar pipe file: .*symbolic link/],
    [
      'is two',
      asked(size, {
        code: 0,
        out: Buffer.concat([
          archive('out/tls.crt', Buffer.from('x')).subarray(0, 1024),
          archive('b', Buffer.from('y')),
        ]),
      }),
      /^failed to untar pipe file: .*one too many/,
    ],
  ])('%s', async (_, server, message) => {
    const error = await failure(server, one);
    expect(error.kind).toBe('refused');
    if (typeof message === 'string') expect(error.message).toBe(message);
    else expect(error.message).toMatch(message);
    expect(server.applied).toEqual([]);
  });

  it('may be had of the largest size', async () => {
    const server = filled();
    server.files.set('/out/tls.crt', Buffer.alloc(1 << 20));
    await collect(server, one);
    expect(server.applied).toHaveLength(1);
  });

  it.each([137, 143])('may be had later when the command was killed: %i', async (code) => {
    expect(await failure(asked({ code }), one)).toMatchObject({ kind: 'unknown' });
  });

  it('may be had later when there is no way to run commands', async () => {
    const server = filled();
    server.run = () => {
      throw new Error('no route');
    };
    expect(await failure(server, one)).toMatchObject({ kind: 'unknown' });
  });
});
