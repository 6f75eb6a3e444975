import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fileHeader } from '../../src/kudo/package/archive/tar-header.ts';
import { createPackage } from '../../src/kudo/package/create-package.ts';
import { loadArchive } from '../../src/kudo/package/load-package.ts';
import { PackageError } from '../../src/kudo/package/package-error.ts';
import type { PackageLimits } from '../../src/kudo/package/package-files.ts';
import { answerOf, cases } from './fuzz.ts';
import { hostileText } from './hostile.ts';

const limits: PackageLimits = {
  archiveBytes: 1 << 20,
  unpackedBytes: 1 << 20,
  ratio: 200,
  fileBytes: 64 << 10,
  files: 20,
  depth: 4,
};

/** An entry of an archive, with whatever name, type and size somebody gave it. */
interface Entry {
  readonly name: string;
  readonly type: string;
  readonly content: string;
  readonly claimed?: number | undefined;
  readonly pax?: string | undefined;
}

function block(name: string, type: string, size: number): Buffer {
  const header = fileHeader('x', size);
  header.fill(0, 0, 100);
  Buffer.from(name).copy(header, 0, 0, 100);
  header.write(type, 156, 1, 'latin1');
  header.fill(0x20, 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return header;
}

function padded(content: Buffer): Buffer {
  return Buffer.concat([content, Buffer.alloc((512 - (content.length % 512)) % 512)]);
}

function tarOf(entries: readonly Entry[]): Buffer {
  const parts = entries.flatMap(({ name, type, content, claimed, pax }) => {
    const bytes = Buffer.from(content);
    const extension = pax === undefined ? [] : [block('p', 'x', Buffer.byteLength(pax)), padded(Buffer.from(pax))];
    return [...extension, block(name, type, claimed ?? bytes.length), padded(bytes)];
  });
  return Buffer.concat([...parts, Buffer.alloc(1024)]);
}

const paths = [
  'operator.yaml',
  'templates/',
  'a',
  '/',
  '..',
  '../',
  './',
  '\\',
  'C:\\',
  '/etc/passwd',
  'a/b/c/d/e/f',
  '\u202e',
  '\x1b',
];
const pax = fc.oneof(
  hostileText(
    [
      '30 path=../../etc/passwd\n',
      '19 size=9999999999\n',
      '10 path=a\n',
      '99999 path=',
      '0 ',
      '-1 x=y\n',
      '1e9 path=x\n',
    ],
    3,
  ),
  hostileText(paths, 4).map((path) => {
    const record = ` path=${path}\n`;
    const length = Buffer.byteLength(record);
    return `${length + String(length + 2).length}${record}`;
  }),
);
const entry = fc.record({
  name: hostileText(paths, 4),
  type: fc.oneof(
    { weight: 4, arbitrary: fc.constant('0') },
    { weight: 1, arbitrary: fc.constantFrom('1', '2', '3', '5', '6', '7', 'g', 'x', 'L', 'K', 'S', '\0', 'é') },
  ),
  content: hostileText(['name: a\n', 'x'.repeat(2000)], 3),
  claimed: fc.option(fc.oneof(fc.nat({ max: 3000 }), fc.constantFrom(65_537, 2 ** 33 - 1)), {
    nil: undefined,
    freq: 5,
  }),
  pax: fc.option(pax, { nil: undefined, freq: 3 }),
});

describe('an archive', () => {
  it('holds only paths that stay inside, within its limits, or is refused', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 5 }), fc.option(fc.nat()), async (entries, cut) => {
        const packed = gzipSync(tarOf(entries), { level: 1 });
        const bytes = cut === null ? packed : packed.subarray(0, cut % packed.length);
        const read = await answerOf(() => loadArchive(bytes, 'x.tgz', limits), PackageError);
        if (!('value' in read)) return;
        expect(read.value.files.size).toBeLessThanOrEqual(limits.files);
        for (const [path, text] of read.value.files) {
          expect(path.split(/[\\/]/)).not.toContain('..');
          expect(path).not.toMatch(/^(\/|[A-Za-z]:(\/|$))/);
          expect(path.split('/').length).toBeLessThanOrEqual(limits.depth + 1);
          expect(text.length).toBeLessThanOrEqual(limits.fileBytes);
        }
      }),
      cases(400),
    );
  });

  it('comes back as it was packed', async () => {
    const names = fc.uniqueArray(
      fc.constantFrom(
        'operator.yaml',
        'params.yaml',
        'templates/a.yaml',
        'docs/b',
        `${'d'.repeat(90)}/${'e'.repeat(90)}`,
      ),
    );
    await fc.assert(
      fc.asyncProperty(names, hostileText(), async (paths, text) => {
        const files = new Map(paths.map((path) => [path, text.toWellFormed()]));
        const packed = createPackage(new Map([...files].map(([path, content]) => [path, Buffer.from(content)])));
        const read = await loadArchive(packed, 'x.tgz', limits);
        expect([...read.files].sort()).toEqual([...files].sort());
      }),
      cases(100),
    );
  });

  it('that unpacks to more than it may is refused before it is unpacked', async () => {
    const big = gzipSync(Buffer.alloc(64 << 20), { level: 9 });
    await expect(answerOf(() => loadArchive(big, 'x.tgz', limits), PackageError)).resolves.toBeDefined();
    const file = Buffer.concat([fileHeader('a', 32 << 20), Buffer.alloc(32 << 20)]);
    await expect(answerOf(() => loadArchive(gzipSync(file), 'x.tgz', limits), PackageError)).resolves.toHaveProperty(
      'error',
    );
  });

  it('with a name that is longer than a sentence is refused in a sentence', async () => {
    const name = `../${'x'.repeat(60_000)}`;
    const record = ` path=${name}\n`;
    const tar = tarOf([{ name: 'a', type: '0', content: '', pax: `${record.length + 5}${record}` }]);
    await expect(answerOf(() => loadArchive(gzipSync(tar), 'x.tgz', limits), PackageError)).resolves.toHaveProperty(
      'error',
    );
  });
});
