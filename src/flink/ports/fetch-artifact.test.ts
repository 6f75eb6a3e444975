import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { realClock } from '../../clock/real.ts';
import { fetchArtifact } from './fetch-artifact.ts';

let server: Server;
let origin: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url?.split('?', 1)[0];
    if (path === '/around') response.writeHead(302, { location: '/around?X-Signature=hidden' }).end();
    else if (path === '/astray') response.writeHead(302, { location: 'http://[?token=hidden' }).end();
    else response.writeHead(200).end('a jar that is too large');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

describe('what is said of a jar that cannot be had', () => {
  const rules = { allowedSchemes: ['http', 'file'], disallowRestrictedHosts: false, headers: {} };
  const said = (uri: string): Promise<string> =>
    fetchArtifact(uri, rules, 30_000, { clock: realClock, mostBytes: 4 }).then(
      () => 'nothing',
      ({ message }: Error) => message,
    );

  it.each<[path: string, told: RegExp]>([
    ['/large.jar', /large\.jar\?… is larger than 0 MiB/],
    ['/around', /around\?… leads from one place to another/],
    ['/astray', /astray\?… leads to "http:\/\/\[\?…", which is no URI/],
  ])('never shows the signature in its place: %s', async (path, told) => {
    const message = await said(`${origin}${path}?X-Signature=hidden`);
    expect(message).toMatch(told);
    expect(message).not.toContain('hidden');
  });
});
