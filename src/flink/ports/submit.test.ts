import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { realClock } from '../../clock/real.ts';
import { VirtualClock } from '../../clock/virtual.ts';
import type { ArtifactRules } from '../calls.ts';
import { directWire } from './direct-wire.ts';
import { emptyJar } from './empty-jar.ts';
import { fetchArtifact } from './fetch-artifact.ts';
import { flinkPort } from './flink-port.ts';
import { jarForm } from './jar-form.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server;
let port: number;
let handler: Handler;
let folder: string;

beforeAll(async () => {
  server = createServer((request, response) => handler(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'artifact-test-'));
  return () => rmSync(folder, { recursive: true });
});

const rules = (more: Partial<ArtifactRules> = {}): ArtifactRules => ({
  allowedSchemes: ['http', 'https', 'file', 'local', 's3'],
  disallowRestrictedHosts: true,
  headers: {},
  ...more,
});
const open = rules({ disallowRestrictedHosts: false });
const local = async () => [{ address: '127.0.0.1', family: 4 }];
const fetched = (uri: string, given: ArtifactRules, more: { mostBytes?: number; resolve?: typeof local } = {}) =>
  fetchArtifact(uri, given, 10_000, { clock: realClock, directory: folder, resolve: local, ...more });
const bytesOf = async (body: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
};

describe('a jar', () => {
  it('is fetched into a file of its own, with the headers that are asked for, and goes when it is not needed', async () => {
    const headers: unknown[] = [];
    handler = (request, response) => {
      headers.push(request.headers['x-token']);
      response.end('jar bytes');
    };
    const jar = await fetched(
      `http://jars.example.com:${port}/a/job.jar?x=1`,
      rules({ ...open, headers: { 'x-token': 't' } }),
    );
    expect([jar.name, jar.size, headers]).toEqual(['job.jar', 9, ['t']]);
    expect((await bytesOf(jar.open())).toString()).toBe('jar bytes');
    expect(readdirSync(folder)).toHaveLength(1);
    await jar.discard();
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    [
      'a private address behind a public name',
      'http://jars.example.com/j.jar',
      rules(),
      /stands for 127\.0\.0\.1, which is loopback/,
    ],
    ['a private address', 'http://169.254.169.254/latest', rules(), /restricted host/],
    [
      'a scheme that is not allowed',
      'http://jars.example.com/j.jar',
      rules({ allowedSchemes: ['https'] }),
      /scheme "http"/,
    ],
    ['a file of an image', 'local:///opt/flink/j.jar', rules(), /names a file inside of a Flink image/],
    ['a store that nobody here can read', 's3://bucket/j.jar', rules(), /cannot be fetched from s3: URIs/],
    ['a file that is not there', 'file:///no/such.jar', rules(), /cannot be read here/],
    ['a folder', 'file:///', rules(), /cannot be read here: it is not a file/],
    ['no URI', 'j a r', rules(), /is no URI/],
  ])('is not fetched from %s', async (_what, uri, given, message) => {
    handler = (_request, response) => void response.end('secret');
    await expect(fetched(uri, given)).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringMatching(message),
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is refused when any address of its host is private, and when a redirect leads to one', async () => {
    const both = async () => [{ address: '93.184.216.34', family: 4 }, ...(await local())];
    await expect(fetched('http://jars.example.com/j.jar', rules(), { resolve: both })).rejects.toMatchObject({
      kind: 'refused',
    });
    handler = (_request, response) => void response.writeHead(302, { location: 'ftp://x/y' }).end();
    await expect(fetched(`http://jars.example.com:${port}/j.jar`, open)).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('leads astray'),
    });
  });

  it('is followed through redirects, a few, without taking headers to strangers', async () => {
    const seen: string[] = [];
    handler = (request, response) => {
      seen.push(`${request.headers.host?.split(':')[0]} ${request.url} ${request.headers['x-token'] ?? '-'}`);
      if (request.url === '/one') response.writeHead(302, { location: '/two' }).end();
      else if (request.url === '/two')
        response.writeHead(307, { location: `http://other.example.com:${port}/three.zip` }).end();
      else response.end('x');
    };
    const given = { ...open, headers: { 'x-token': 't' } };
    const jar = await fetched(`http://jars.example.com:${port}/one`, given);
    expect(seen).toEqual(['jars.example.com /one t', 'jars.example.com /two t', 'other.example.com /three.zip -']);
    expect(jar.name).toBe('one');
    await jar.discard();
    handler = (_request, response) => void response.writeHead(302, { location: '/again' }).end();
    await expect(fetched(`http://jars.example.com:${port}/again`, given)).rejects.toMatchObject({ kind: 'refused' });
  });

  it('is refused when it is too large, said or unsaid, and leaves nothing behind', async () => {
    handler = (_request, response) => void response.writeHead(200, { 'content-length': '100' }).end('x'.repeat(100));
    await expect(fetched(`http://j.example.com:${port}/j`, open, { mostBytes: 99 })).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('is larger than'),
    });
    handler = (_request, response) => {
      response.write('x'.repeat(60));
      response.end('x'.repeat(60));
    };
    await expect(fetched(`http://j.example.com:${port}/j`, open, { mostBytes: 99 })).rejects.toMatchObject({
      kind: 'refused',
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    [404, 'refused'],
    [403, 'refused'],
    [429, 'unknown'],
    [503, 'unknown'],
  ])('is %d: %s', async (status, kind) => {
    handler = (_request, response) => void response.writeHead(status).end();
    await expect(fetched(`http://j.example.com:${port}/j`, open)).rejects.toMatchObject({ kind });
  });

  it('is tried again later when it breaks off or nobody answers in time', async () => {
    handler = (_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => response.destroy());
    };
    await expect(fetched(`http://j.example.com:${port}/j`, open)).rejects.toMatchObject({ kind: 'unknown' });
    expect(readdirSync(folder)).toEqual([]);
    handler = () => {};
    const clock = new VirtualClock();
    const hanging = fetchArtifact(`http://j.example.com:${port}/j`, open, 5_000, {
      clock,
      directory: folder,
      resolve: local,
    });
    const seen = expect(hanging).rejects.toMatchObject({
      kind: 'unknown',
      message: 'the jar was not there within 5 s',
    });
    await clock.advance(5_000);
    await seen;
  });

  it('is read from a file of this machine', async () => {
    writeFileSync(join(folder, 'my job.jar'), 'bytes');
    const jar = await fetched(`file://${folder}/my%20job.jar`, open);
    expect([jar.name, jar.size, (await bytesOf(jar.open())).toString()]).toEqual(['my job.jar', 5, 'bytes']);
    await expect(fetched(`file://${folder}/my%20job.jar`, open, { mostBytes: 4 })).rejects.toMatchObject({
      kind: 'refused',
    });
  });

  it('may be empty, and is a proper archive then', async () => {
    const jar = emptyJar();
    const bytes = await bytesOf(jar.open());
    expect(bytes.length).toBe(jar.size);
    const end = bytes.length - 22;
    const directory = bytes.readUInt32LE(end + 16);
    expect(bytes.readUInt32BE(end)).toBe(0x504b0506);
    expect([bytes.readUInt16LE(end + 10), bytes.readUInt32LE(end + 12)]).toEqual([1, end - directory]);
    expect(bytes.readUInt32BE(directory)).toBe(0x504b0102);
    const file = bytes.readUInt32LE(directory + 42);
    expect(bytes.readUInt32BE(file)).toBe(0x504b0304);
    const [crc, size, name] = [
      bytes.readUInt32LE(file + 14),
      bytes.readUInt32LE(file + 22),
      bytes.readUInt16LE(file + 26),
    ];
    expect(bytes.toString('utf8', file + 30, file + 30 + name)).toBe('META-INF/MANIFEST.MF');
    expect(bytes.toString('utf8', directory + 46, end)).toBe('META-INF/MANIFEST.MF');
    const content = bytes.subarray(file + 30 + name, file + 30 + name + size);
    expect(content.toString()).toBe('Manifest-Version: 1.0\r\n\r\n');
    expect([crc, bytes.readUInt32LE(directory + 16)]).toEqual([crc32(content), crc32(content)]);
  });

  it('is put into a form that its name cannot break', async () => {
    const jar = {
      name: '../a"b\r\nc',
      size: 3,
      open: async function* () {
        yield Buffer.from('abc');
      },
    };
    const { body, headers } = jarForm(jar, 'id');
    const bytes = await bytesOf(body.open());
    expect(bytes.length).toBe(body.size);
    expect(headers).toEqual({ 'content-type': 'multipart/form-data; boundary=cutover-id' });
    expect(bytes.toString().split('\r\n')).toEqual([
      '--cutover-id',
      'Content-Disposition: form-data; name="jarfile"; filename="_a_b__c.jar"',
      'Content-Type: application/x-java-archive',
      '',
      'abc',
      '--cutover-id--',
      '',
    ]);
  });
});

describe('a submission', () => {
  it('streams the jar from where it is to Flink, and cleans up after itself', async () => {
    const jobId = 'a'.repeat(32);
    const seen: string[] = [];
    let uploaded = '';
    handler = (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        seen.push(`${request.method} ${request.url}`);
        if (request.url === '/job.jar') return void response.end('the bytes of the jar');
        if (request.url === '/jars/upload') uploaded = Buffer.concat(chunks).toString();
        const answers: Record<string, unknown> = {
          '/jobs/overview': { jobs: [] },
          '/jars/upload': { filename: '/x/1_job.jar', status: 'success' },
          '/jars/1_job.jar/run': { jobid: jobId },
        };
        response.end(JSON.stringify(answers[request.url ?? ''] ?? {}));
      });
    };
    const wire = directWire({
      clock: realClock,
      placeOf: ({ port, tls }) => ({ host: '127.0.0.1', port, tls, prefix: '' }),
    });
    const timeouts = { request: 10_000, cancel: 10_000, submission: 10_000 };
    const { submit } = flinkPort({
      wire,
      clock: realClock,
      timeouts,
      acted: () => {},
      directory: folder,
      resolve: local,
    });
    const cluster = { namespace: 'a', name: 'x', port, tls: false };
    const args = { cluster, jobId, jarUri: `http://jars.example.com:${port}/job.jar`, run: {}, artifacts: open };
    const { signal } = new AbortController();
    await expect(submit({ id: 'c'.repeat(32), args, signal, revoked: signal })).resolves.toEqual({
      jobId,
      submitted: true,
    });
    expect(seen).toEqual([
      'GET /jobs/overview',
      'GET /job.jar',
      'POST /jars/upload',
      'POST /jars/1_job.jar/run',
      'DELETE /jars/1_job.jar',
    ]);
    expect(uploaded).toContain(
      'filename="job.jar"\r\nContent-Type: application/x-java-archive\r\n\r\nthe bytes of the jar\r\n',
    );
    expect(readdirSync(folder)).toEqual([]);
    await wire.close();
  });

  it.each([
    ['its jar is fetched', '/job.jar', ['GET /jobs/overview', 'GET /job.jar']],
    ['its jar is uploaded', '/jars/upload', ['GET /jobs/overview', 'GET /job.jar', 'POST /jars/upload']],
  ])('that is revoked while %s ends at once, runs nothing, and leaves no file', async (_when, place, steps) => {
    const right = new AbortController();
    const seen: string[] = [];
    handler = (request, response) => {
      seen.push(`${request.method} ${request.url}`);
      // Never answered: what goes on from here does so because it was revoked.
      if (request.url === place) return right.abort(new Error('another replica takes over'));
      response.end(request.url === '/job.jar' ? 'the bytes of the jar' : JSON.stringify({ jobs: [] }));
    };
    const wire = directWire({
      clock: realClock,
      placeOf: ({ port, tls }) => ({ host: '127.0.0.1', port, tls, prefix: '' }),
    });
    const clock = new VirtualClock();
    const timeouts = { request: 10_000, cancel: 10_000, submission: 10_000 };
    const { submit } = flinkPort({ wire, clock, timeouts, acted: () => {}, directory: folder, resolve: local });
    const cluster = { namespace: 'a', name: 'x', port, tls: false };
    const jarUri = `http://jars.example.com:${port}/job.jar`;
    const args = { cluster, jobId: 'a'.repeat(32), jarUri, run: {}, artifacts: open };
    const { signal } = new AbortController();
    const call = submit({ id: 'c'.repeat(32), args, signal, revoked: right.signal });
    await expect(call).rejects.toMatchObject({ kind: 'unknown', message: expect.stringContaining('nobody waits for') });
    expect(seen).toEqual(steps);
    expect(readdirSync(folder)).toEqual([]);
    expect(clock.untilNext).toBeUndefined();
    await wire.close();
  });
});
