import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fileHeader } from './archive/tar-header.ts';
import { createPackage } from './create-package.ts';
import { loadArchive, loadPackage } from './load-package.ts';
import { PACKAGE_LIMITS } from './package-files.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'package-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function put(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/** One entry of a tar archive, with some bytes of its header replaced. */
function entry(path: string, content: string, changes: Readonly<Record<number, string>> = {}): Buffer {
  const header = fileHeader(path, Buffer.byteLength(content));
  for (const [at, text] of Object.entries(changes)) header.write(text, Number(at), 'latin1');
  header.write('        ', 148, 'latin1');
  const sum = header.reduce((all, byte) => all + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  const body = Buffer.from(content);
  return Buffer.concat([header, body, Buffer.alloc((512 - (body.length % 512)) % 512)]);
}

const archive = (...entries: readonly Buffer[]) => gzipSync(Buffer.concat([...entries, Buffer.alloc(1024)]));
const TYPE = 156;

describe('a folder', () => {
  it('is read as far as it is a package', async () => {
    await put({
      'operator.yaml': 'o',
      'params.yaml': 'p',
      'templates/a.yaml': 'a',
      'templates/deep/b.yaml': 'b',
      'kid/operator.yaml': 'not this one',
      'README.md': 'nor this',
    });
    expect([...(await loadPackage(folder)).files]).toEqual([
      ['operator.yaml', 'o'],
      ['params.yaml', 'p'],
      ['templates/a.yaml', 'a'],
      ['templates/deep/b.yaml', 'b'],
    ]);
  });

  it('may have a link to one of its own files', async () => {
    await put({ 'operator.yaml': 'o', 'templates/a.yaml': 'a' });
    await symlink('a.yaml', join(folder, 'templates/b.yaml'));
    expect((await loadPackage(folder)).files.get('templates/b.yaml')).toBe('a');
  });

  it.each([
    ['/etc/hostname', 'templates/a.yaml is a link that leads out of the package'],
    ['../..', 'templates/a.yaml is a link that leads out of the package'],
    ['nowhere', 'templates/a.yaml is a link that leads nowhere'],
    ['.', 'templates/a.yaml is a link to a folder'],
  ])('does not follow a link to %s', async (target, message) => {
    await mkdir(join(folder, 'templates'));
    await symlink(target, join(folder, 'templates/a.yaml'));
    await expect(loadPackage(folder)).rejects.toThrow(message);
  });

  it('has limits', async () => {
    await put({ 'operator.yaml': 'x'.repeat(100), 'templates/a/b/c.yaml': '' });
    await expect(loadPackage(folder, { ...PACKAGE_LIMITS, fileBytes: 99 })).rejects.toThrow(
      'operator.yaml has 100 bytes, and a file may have at most 99',
    );
    await expect(loadPackage(folder, { ...PACKAGE_LIMITS, unpackedBytes: 99 })).rejects.toThrow(
      'operator.yaml is too much',
    );
    await expect(loadPackage(folder, { ...PACKAGE_LIMITS, files: 1 })).rejects.toThrow('is one too many');
    await expect(loadPackage(folder, { ...PACKAGE_LIMITS, depth: 2 })).rejects.toThrow('in more than 2 folders');
  });

  it.each(['', 'templates/'])('is nothing but files and folders: %j', async (inside) => {
    await mkdir(join(folder, 'templates'));
    const socket = createServer().listen(join(folder, `${inside}a.yaml`));
    await once(socket, 'listening');
    const path = inside === '' ? join(folder, 'a.yaml') : folder;
    await expect(loadPackage(path)).rejects.toThrow(/a\.yaml is neither a (?:folder nor a file|file nor a folder)$/);
    socket.close();
  });

  it('is no device, which would never end', async () => {
    await expect(loadPackage('/dev/zero')).rejects.toThrow('/dev/zero is neither a folder nor a file');
  });

  it('must be there', async () => {
    await expect(loadPackage(join(folder, 'no'))).rejects.toThrow('there is no package at');
  });
});

describe('an archive', () => {
  const files = new Map([
    ['operator.yaml', Buffer.from('öperator')],
    ['templates/x.yaml', Buffer.alloc(0)],
    [`templates/${'long/'.repeat(10)}${'n'.repeat(90)}.yaml`, Buffer.from('y'.repeat(1000))],
  ]);

  it('gives back what was packed', async () => {
    await writeFile(join(folder, 'a.tgz'), createPackage(files));
    const loaded = await loadPackage(join(folder, 'a.tgz'));
    expect(loaded.files).toEqual(new Map([...files].map(([path, bytes]) => [path, bytes.toString()])));
  });

  it('is the same bytes for the same files, in whatever order', () => {
    expect(createPackage(files)).toEqual(createPackage(new Map([...files].toReversed())));
  });

  it('may begin its paths with ./, have folders, and the later of two entries counts', async () => {
    const packed = archive(
      entry('./templates/', '', { [TYPE]: '5' }),
      entry('./a.yaml', 'first'),
      entry('a.yaml', 'second'),
    );
    expect([...(await loadArchive(packed, 'x.tgz')).files]).toEqual([['a.yaml', 'second']]);
  });

  it('may name an entry in a header of its own', async () => {
    const pax = archive(entry('PaxHeader', '21 path=templates/ö\n', { [TYPE]: 'x' }), entry('short', 'text'));
    expect([...(await loadArchive(pax, 'x.tgz')).files]).toEqual([['templates/ö', 'text']]);
    const gnu = archive(entry('././@LongLink', 'templates/long\0', { [TYPE]: 'L' }), entry('short', 'text'));
    expect([...(await loadArchive(gnu, 'x.tgz')).files]).toEqual([['templates/long', 'text']]);
  });

  it.each([
    ['entry "../a" leads out of the archive with ".."', entry('../a', '')],
    ['entry "a/../../b" leads out of the archive', entry('a/../../b', '')],
    ['entry "a\\\\..\\\\b" leads out of the archive', entry('a\\..\\b', '')],
    ['entry "/etc/passwd" has an absolute path', entry('/etc/passwd', '')],
    ['entry "C:\\\\x" has an absolute path', entry('C:\\x', '')],
    ['entry "a" is a symbolic link', entry('a', '', { [TYPE]: '2', 157: '/etc/passwd' })],
    ['entry "a" is a hard link', entry('a', '', { [TYPE]: '1', 157: 'b' })],
    ['entry "a" is a device', entry('a', '', { [TYPE]: '3' })],
    ['entry "a" is a named pipe', entry('a', '', { [TYPE]: '6' })],
    ['entry "a" is of the unknown type "S"', entry('a', '', { [TYPE]: 'S' })],
    ['entry "a\\nb" has a control character', entry('a\nb', '')],
    ['entry "./" has no name', entry('./', '')],
    [`lies in more than ${PACKAGE_LIMITS.depth} folders`, entry(`${'d/'.repeat(20)}a`, '')],
    ['has 8589934591 bytes, and a file may have at most', entry('a', '', { 124: '77777777777\0' })],
    ['entry "a" is cut off', entry('a', '', { 124: '00000100000\0' })],
    ['is not a tar archive, or is damaged', Buffer.alloc(600, 'x')],
  ])('is refused: %s', async (message, bytes) => {
    await expect(loadArchive(archive(bytes), 'x.tgz')).rejects.toThrow(message);
  });

  it('is refused when a pax header smuggles the path', async () => {
    const packed = archive(entry('PaxHeader', '13 path=../a\n', { [TYPE]: 'x' }), entry('a', ''));
    await expect(loadArchive(packed, 'x.tgz')).rejects.toThrow('leads out of the archive');
  });

  it('is refused in a sentence, though a name in it is as long as a file', async () => {
    const record = ` path=../${'a'.repeat(60_000)}\n`;
    const packed = archive(entry('PaxHeader', `${record.length + 5}${record}`, { [TYPE]: 'x' }), entry('a', ''));
    await expect(loadArchive(packed, 'x.tgz')).rejects.toThrow(
      /^x\.tgz: entry "\.\.\/a{197}…" leads out of the archive/,
    );
  });

  it('is refused when it is not one', async () => {
    await expect(loadArchive(Buffer.from('text'), 'x.tgz')).rejects.toThrow('x.tgz is not a gzipped archive');
    const packed = archive(entry('a', 'text'));
    await expect(loadArchive(packed.subarray(0, packed.length - 20), 'x.tgz')).rejects.toThrow('or is damaged');
  });

  it('is no bomb: not by its size, not by its ratio, not by its number of files', async () => {
    const limits = { ...PACKAGE_LIMITS, unpackedBytes: 1 << 20, ratio: 1e9, fileBytes: 1 << 30 };
    const large = archive(entry('small', ''), entry('templates/bomb.yaml', '\0'.repeat(3 << 20)));
    await expect(loadArchive(large, 'x.tgz', limits)).rejects.toThrow(
      'entry "templates/bomb.yaml" is too much: the archive unpacks to more than 1048576 bytes',
    );
    await expect(loadArchive(large, 'x.tgz', { ...limits, unpackedBytes: 1 << 30, ratio: 200 })).rejects.toThrow(
      'entry "templates/bomb.yaml" is too much: the archive unpacks to more than 200 times its size',
    );
    const many = archive(...Array.from({ length: 30 }, (_, index) => entry(`f${index}`, '')));
    await expect(loadArchive(many, 'x.tgz', { ...PACKAGE_LIMITS, files: 20 })).rejects.toThrow(
      'entry "f20" is one too many',
    );
  });

  it('is not even read when it is too large', async () => {
    await writeFile(join(folder, 'a.tgz'), createPackage(files));
    await expect(loadPackage(join(folder, 'a.tgz'), { ...PACKAGE_LIMITS, archiveBytes: 10 })).rejects.toThrow(
      'an archive may have at most 10',
    );
  });
});
