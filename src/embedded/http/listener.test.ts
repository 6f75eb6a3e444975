import { request as httpsRequest } from 'node:https';
import { connect } from 'node:tls';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { realRandom } from '../../clock/random.ts';
import { realClock } from '../../clock/real.ts';
import { issueAuthority, issueCertificate } from '../../control/certificates/issue.ts';
import { createEmbedded, type Door, type Embedded } from '../embedded.ts';

let embedded: Embedded;
let door: Door;
let troubles: string[];
beforeEach(async () => {
  troubles = [];
  embedded = await createEmbedded({
    clock: realClock,
    random: realRandom,
    nodes: { count: 0 },
    trouble: (what, error) => void troubles.push(`${what}: ${String(error)}`),
  });
  door = await embedded.listen({ port: 0 });
});
afterEach(async () => {
  expect(troubles).toEqual([]);
  await embedded.close();
});

interface Answered {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly bytes: Buffer;
}

function ask(
  method: string,
  path: string,
  body = '',
  headers: Record<string, string> = {},
  identity: { readonly cert?: string; readonly key?: string } = door.admin,
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(door.url);
    const outgoing = httpsRequest(
      {
        hostname,
        port,
        method,
        path,
        ca: door.ca,
        ...identity,
        agent: false,
        headers: { 'content-type': 'application/json', ...headers },
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('end', () =>
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, bytes: Buffer.concat(chunks) }),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

const maps = '/api/v1/namespaces/default/configmaps';

describe('the HTTPS door', () => {
  it('knows the administrator by certificate, and others not at all', async () => {
    expect((await ask('GET', '/api/v1/namespaces')).status).toBe(200);
    const stranger = await ask('GET', '/api/v1/namespaces', '', {}, {});
    expect(JSON.parse(stranger.bytes.toString())).toMatchObject({
      code: 403,
      message:
        'namespaces is forbidden: User "system:anonymous" cannot list resource "namespaces" in API group "" at the cluster scope',
    });
    const liar = await ask('GET', '/api/v1/namespaces', '', { authorization: 'Bearer nonsense' }, {});
    expect(JSON.parse(liar.bytes.toString())).toMatchObject({ code: 401, reason: 'Unauthorized' });
    expect((await ask('GET', '/readyz', '', {}, {})).bytes.toString()).toBe('ok');
  });

  it('does not take a certificate of another authority for nobody’s', async () => {
    const now = Date.now();
    const ca = await issueAuthority('cutover-ca', now, now + 3_600_000);
    const subject = { commonName: 'cutover-admin', organization: 'system:masters' };
    const eve = await issueCertificate({ ca, ...subject, from: now, until: now + 3_600_000 });
    for (const path of ['/api/v1/namespaces', '/readyz']) {
      const { status, bytes } = await ask('GET', path, '', {}, eve);
      expect(status).toBe(401);
      expect(JSON.parse(bytes.toString())).toMatchObject({ code: 401, reason: 'Unauthorized' });
    }
  });

  it('refuses a body that is too long and goes on', async () => {
    const long = await ask('POST', maps, 'x'.repeat(4 * 1024 * 1024));
    expect(JSON.parse(long.bytes.toString())).toMatchObject({ code: 413, reason: 'RequestEntityTooLarge' });
    expect((await ask('GET', maps)).status).toBe(200);
  });

  it('writes nothing of a body that broke off', async () => {
    const { hostname, port } = new URL(door.url);
    const body = JSON.stringify({ metadata: { name: 'half' } });
    await new Promise<void>((resolve) => {
      const socket = connect(
        { host: hostname, port: Number(port), ca: door.ca, ...door.admin, servername: 'localhost' },
        () => {
          socket.write(
            `POST ${maps} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length + 10}\r\n\r\n${body}`,
          );
          setImmediate(() => socket.destroy());
        },
      );
      socket.on('close', () => resolve());
      socket.on('error', () => {});
    });
    expect((await ask('GET', `${maps}/half`)).status).toBe(404);
  });

  it.each([
    ['garbage', 'GARBAGE\r\n\r\n', 400],
    ['an unknown method', 'BREW /api HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['two lengths', 'POST /api HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n', 400],
    ['a header without end', `GET /api HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(70_000)}\r\n\r\n`, 431],
  ])('answers %s in a Status', async (_, text, code) => {
    const { hostname, port } = new URL(door.url);
    const socket = connect({ host: hostname, port: Number(port), ca: door.ca });
    let answer = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      answer += chunk;
    });
    socket.on('error', () => {});
    socket.write(text);
    await new Promise<void>((resolve) => socket.on('close', () => resolve()));
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${code} `));
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({ kind: 'Status', code });
  });

  it('compresses long answers for those who can read them, and no others', async () => {
    const data = { text: 'y'.repeat(1000) };
    for (let i = 0; i < 200; i++) await ask('POST', maps, JSON.stringify({ metadata: { name: `m${i}` }, data }));
    const zipped = await ask('GET', maps, '', { 'accept-encoding': 'gzip' });
    expect(zipped.headers['content-encoding']).toBe('gzip');
    const plain = await ask('GET', maps);
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(gunzipSync(zipped.bytes).equals(plain.bytes)).toBe(true);
    expect(JSON.parse(plain.bytes.toString()).items.length).toBeGreaterThanOrEqual(200);
    expect(
      (await ask('GET', `${maps}/m1`, '', { 'accept-encoding': 'gzip' })).headers['content-encoding'],
    ).toBeUndefined();
  });

  it('ends watches when it closes, and frees them when the client leaves', async () => {
    const { hostname, port } = new URL(door.url);
    const open = (): Promise<{ ended: Promise<void>; leave(): void }> =>
      new Promise((resolve, reject) => {
        const outgoing = httpsRequest(
          { hostname, port, path: `${maps}?watch=true`, ca: door.ca, ...door.admin, agent: false },
          (incoming) => {
            incoming.resume();
            const ended = new Promise<void>((done) => incoming.on('close', () => done()));
            resolve({ ended, leave: () => outgoing.destroy() });
          },
        );
        outgoing.on('error', reject);
        outgoing.end();
      });
    const [one, two] = await Promise.all([open(), open()]);
    one.leave();
    await one.ended;
    await embedded.close();
    await two.ended;
    embedded = await createEmbedded({ clock: realClock, random: realRandom, nodes: { count: 0 } });
  });

  it('refuses to speak WebSocket about what is not there, in a Status', async () => {
    const path = '/api/v1/namespaces/default/pods/none/exec?command=ls&stdout=true';
    const socket = new WebSocket(`${door.url.replace('https', 'wss')}${path}`, ['v5.channel.k8s.io'], {
      ca: door.ca,
      ...door.admin,
    });
    const refusal = await new Promise<string>((resolve) => {
      socket.on('unexpected-response', (_, incoming) => {
        let text = '';
        incoming.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        incoming.on('end', () => resolve(text));
      });
      socket.on('error', () => {});
    });
    expect(JSON.parse(refusal)).toMatchObject({ code: 404, message: 'pods "none" not found' });
  });
});
