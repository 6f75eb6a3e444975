import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from './command.ts';
import { archiveImage, archiveLayers, reproducible } from './image.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'rig-image-'));
});
afterEach(() => rm(directory, { recursive: true }));

interface Manifest {
  readonly Config: string;
  readonly RepoTags: readonly string[];
  readonly Layers: readonly string[];
}

/** What a container runtime reads from an archive. */
async function read(archive: string) {
  const folder = join(directory, 'read');
  await mkdir(folder);
  await runCommand('tar', ['-C', folder, '-xf', archive]);
  const [manifest] = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as [Manifest];
  const config = JSON.parse(await readFile(join(folder, manifest.Config), 'utf8'));
  const digests = await Promise.all(manifest.Layers.map(async (layer) => sha256(await readFile(join(folder, layer)))));
  const contents = await Promise.all(manifest.Layers.map((layer) => runCommand('tar', ['-tvf', join(folder, layer)])));
  return { manifest, config, digests, contents };
}

function sha256(content: Uint8Array): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}

async function layer(name: string, owner: number): Promise<string> {
  const folder = join(directory, name);
  await mkdir(folder);
  await writeFile(join(folder, `${name}.txt`), name);
  await runCommand('tar', [...reproducible(owner), '-C', directory, '-cf', `${folder}.tar`, name]);
  return `${folder}.tar`;
}

describe('an image archive', () => {
  it('names its layers by what is in them, lowest first, each with its owner', async () => {
    const layers = [await layer('below', 0), await layer('above', 9999)];
    const archive = join(directory, 'image.tar');
    await archiveLayers({ name: 'rig.local/two:1', layers, config: { User: '9999:9999' }, archive });
    const { manifest, config, digests, contents } = await read(archive);
    expect(manifest.RepoTags).toEqual(['rig.local/two:1']);
    expect(config).toMatchObject({ os: 'linux', config: { User: '9999:9999' }, rootfs: { diff_ids: digests } });
    expect(contents[0]).toMatch(/ 0\/0 .* below\/below\.txt/);
    expect(contents[1]).toMatch(/ 9999\/9999 .* above\/above\.txt/);
  });

  it('is the same whenever it is made', async () => {
    const program = join(directory, 'program');
    await writeFile(program, 'run', { mode: 0o755 });
    const [first, second] = ['first.tar', 'second.tar'].map((name) => join(directory, name)) as [string, string];
    const image = { name: 'rig.local/app:1', entrypoint: '/bin/app', files: { 'bin/app': program } };
    await archiveImage({ ...image, archive: first });
    await archiveImage({ ...image, archive: second });
    expect((await readFile(first)).equals(await readFile(second))).toBe(true);
    const { config, contents } = await read(first);
    expect(config.config.Entrypoint).toEqual(['/bin/app']);
    expect(contents[0]).toMatch(/-rwxr-xr-x 0\/0 .* \.\/bin\/app/);
    expect(await readdir(directory)).toEqual(['first.tar', 'program', 'read', 'second.tar']);
  });
});
