import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Asked } from './asked.ts';
import { staticFiles } from './static-files.ts';

const script = `console.log('${'x'.repeat(3000)}')`;
const files = staticFiles(async () => ({
  'index.html': '<!doctype html>',
  'app-BMW4wET8.js': script,
  'icon-0a1b2c3d.svg': Buffer.from('<svg/>'),
}));
const ask = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  files({ method, path, header: (name: string) => headers[name] } as Asked) as Promise<{
    status: number;
    headers: Record<string, string>;
    body: Uint8Array;
  }>;

describe('staticFiles', () => {
  it('answers every page of the program with the one page, which is asked for again each time', async () => {
    for (const path of ['/', '/fleet', '/w/Boat/north/erik', '/w/Boat/north/erik.the.red']) {
      const { status, headers, body } = await ask(path);
      expect([status, headers['cache-control'], Buffer.from(body).toString()]).toEqual([
        200,
        'no-cache',
        '<!doctype html>',
      ]);
    }
  });

  it('lets browsers keep files with a hash in their name', async () => {
    const { headers } = await ask('/app-BMW4wET8.js');
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect((await ask('/icon-0a1b2c3d.svg')).headers['content-type']).toBe('image/svg+xml');
  });

  it('sends them compressed as the browser likes', async () => {
    const br = await ask('/app-BMW4wET8.js', { 'accept-encoding': 'gzip, deflate, br' });
    expect([br.headers['content-encoding'], brotliDecompressSync(br.body).toString()]).toEqual(['br', script]);
    const gz = await ask('/app-BMW4wET8.js', { 'accept-encoding': 'gzip;q=1.0, br;q=0' });
    expect([gz.headers['content-encoding'], gunzipSync(gz.body).toString()]).toEqual(['gzip', script]);
    expect((await ask('/app-BMW4wET8.js')).headers['content-encoding']).toBeUndefined();
  });

  it('does not send again what the browser has', async () => {
    const { headers } = await ask('/');
    expect(await ask('/', { 'if-none-match': headers.etag ?? '' })).toMatchObject({ status: 304 });
  });

  it('refuses what is not there, and other methods', async () => {
    for (const path of ['/missing.js', '/../package.json', '/index.html/../x.y', '/__proto__.js']) {
      await expect(ask(path), path).rejects.toMatchObject({ status: 404 });
    }
    await expect(ask('/', {}, 'POST')).rejects.toMatchObject({ status: 405 });
  });

  it('tries again when the files could not be had', async () => {
    let tries = 0;
    const late = staticFiles(async () => {
      if (tries++ === 0) throw new Error('not yet');
      return { 'index.html': 'x' };
    });
    const asked = { method: 'GET', path: '/', header: () => undefined } as unknown as Asked;
    await expect(late(asked)).rejects.toThrow('not yet');
    expect(await late(asked)).toMatchObject({ status: 200 });
  });
});
