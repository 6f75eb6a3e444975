import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Answer, Asked } from './asked.ts';
import { Refusal } from './refusal.ts';

/**
 * What a browser loads, by name: `index.html`, `app-3fa91c2e.js`. A name with a hash of what is in it is kept by browsers
 * for ever; all others are asked for again each time.
 */
export type Assets = Readonly<Record<string, string | Uint8Array>>;

interface File {
  readonly headers: Readonly<Record<string, string>>;
  readonly plain: Uint8Array;
  readonly br?: Uint8Array;
  readonly gzip?: Uint8Array;
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  ico: 'image/x-icon',
  txt: 'text/plain; charset=utf-8',
};

/** Serves what a browser loads, compressed once and kept in memory. A path without a dot is a page of the program itself. */
export function staticFiles(load: () => Promise<Assets>): (asked: Asked) => Promise<Answer> {
  let files: Promise<ReadonlyMap<string, File>> | undefined;
  const loaded = (): Promise<ReadonlyMap<string, File>> => {
    files ??= load().then(compressed);
    files.catch(() => {
      files = undefined;
    });
    return files;
  };
  return async (asked) => {
    if (asked.method !== 'GET' && asked.method !== 'HEAD') throw new Refusal(405, 'Only GET.', { allow: 'GET, HEAD' });
    const all = await loaded();
    const name = asked.path.slice(1);
    // Names of workloads, which are in the addresses of their pages, may have dots.
    const isPage = name.startsWith('w/') || !name.includes('.');
    const file = all.get(name) ?? (isPage ? all.get('index.html') : undefined);
    if (!file) throw new Refusal(404, 'There is no such file.');
    const { headers, plain } = file;
    if (asked.header('if-none-match') === headers.etag) return { status: 304, headers };
    const accepted = asked.header('accept-encoding') ?? '';
    for (const encoding of ['br', 'gzip'] as const) {
      const body = file[encoding];
      if (body && new RegExp(`\\b${encoding}\\b(?!\\s*;\\s*q=0(?:\\.0*)?(?:,|$))`).test(accepted)) {
        return { status: 200, headers: { ...headers, 'content-encoding': encoding }, body };
      }
    }
    return { status: 200, headers, body: plain };
  };
}

async function compressed(assets: Assets): Promise<ReadonlyMap<string, File>> {
  return new Map(
    await Promise.all(Object.entries(assets).map(async ([name, body]) => [name, await file(name, body)] as const)),
  );
}

async function file(name: string, body: string | Uint8Array): Promise<File> {
  const plain = Buffer.from(body);
  const extension = name.slice(name.lastIndexOf('.') + 1);
  const headers = {
    'content-type': types[extension] ?? 'application/octet-stream',
    'cache-control': /[-.][\w-]{8,}\.\w+$/.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
    vary: 'accept-encoding',
  };
  if (plain.length < 512 || /^(png|ico)$/.test(extension)) return { headers, plain };
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: plain.length } }),
    promisify(gzip)(plain, { level: 9 }),
  ]);
  return { headers, plain, br, gzip: gz };
}
