import { createHash } from 'node:crypto';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runCommand } from './command.ts';

interface ImageDescription {
  /** With tag: `rig.local/app:1`. */
  readonly name: string;
  /** Absent: a pod must name its command. */
  readonly entrypoint?: string;
  /** Path in the image → file on disk. */
  readonly files: Readonly<Record<string, string>>;
  /** Path in the image → what it is a symbolic link to. */
  readonly links?: Readonly<Record<string, string>>;
  /** Where to write the archive. */
  readonly archive: string;
}

const PASSWD = 'root:x:0:0:root:/:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/:/sbin/nologin\n';
const REPRODUCIBLE = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner'];

/** Writes an image of one layer as the archive that `ctr images import` reads. Needs neither a registry nor Docker. */
export async function archiveImage(image: ImageDescription): Promise<void> {
  const work = await mkdtemp(`${image.archive}.`);
  try {
    const root = join(work, 'root');
    const layout = join(work, 'layout');
    for (const folder of ['tmp', 'etc']) await mkdir(join(root, folder), { recursive: true });
    await chmod(join(root, 'tmp'), 0o1777);
    await writeFile(join(root, 'etc', 'passwd'), PASSWD);
    for (const [path, source] of Object.entries(image.files)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await copyFile(source, join(root, path));
    }
    for (const [path, target] of Object.entries(image.links ?? {})) await symlink(target, join(root, path));
    await mkdir(layout);
    await runCommand('tar', [...REPRODUCIBLE, '-C', root, '-cf', join(layout, 'layer.tar'), '.']);
    const config = JSON.stringify({
      architecture: process.arch === 'x64' ? 'amd64' : process.arch,
      os: 'linux',
      created: '1970-01-01T00:00:00Z',
      config: { ...(image.entrypoint && { Entrypoint: [image.entrypoint] }), Env: ['PATH=/bin'], WorkingDir: '/' },
      rootfs: { type: 'layers', diff_ids: [`sha256:${sha256(await readFile(join(layout, 'layer.tar')))}`] },
    });
    await writeFile(join(layout, `${sha256(config)}.json`), config);
    const manifest = [{ Config: `${sha256(config)}.json`, RepoTags: [image.name], Layers: ['layer.tar'] }];
    await writeFile(join(layout, 'manifest.json'), JSON.stringify(manifest));
    await runCommand('tar', [...REPRODUCIBLE, '-C', layout, '-cf', image.archive, '.']);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
