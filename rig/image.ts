import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, copyFile, link, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { runCommand } from './command.ts';

export interface ImageDescription {
  /** With tag: `rig.local/app:1`. */
  readonly name: string;
  /** Absent: a pod must name its command. */
  readonly entrypoint?: string;
  /** The user's number: a pod that must not run as root does not take a name's word for it. Default: root. */
  readonly user?: number;
  /** Path in the image → file on disk. */
  readonly files: Readonly<Record<string, string>>;
  /** Path in the image → what it is a symbolic link to. */
  readonly links?: Readonly<Record<string, string>>;
  /** Where to write the archive. */
  readonly archive: string;
}

interface LayeredImage {
  readonly name: string;
  /** Tar files, the lowest layer first. */
  readonly layers: readonly string[];
  /** As in the OCI image configuration. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly archive: string;
}

const PASSWD = 'root:x:0:0:root:/:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/:/sbin/nologin\n';

/** Flags of tar for an archive that depends on nothing but names and contents, whoever makes it. */
export function reproducible(owner: number): readonly string[] {
  return ['--sort=name', '--mtime=@0', `--owner=${owner}`, `--group=${owner}`, '--numeric-owner'];
}

/** Writes an image of one layer as the archive that `ctr images import` reads. Needs neither a registry nor Docker. */
export async function archiveImage(image: ImageDescription): Promise<void> {
  const work = await mkdtemp(`${image.archive}.`);
  try {
    const root = join(work, 'root');
    for (const folder of ['tmp', 'etc']) await mkdir(join(root, folder), { recursive: true });
    await chmod(join(root, 'tmp'), 0o1777);
    await writeFile(join(root, 'etc', 'passwd'), PASSWD);
    for (const [path, source] of Object.entries(image.files)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await copyFile(source, join(root, path));
    }
    for (const [path, target] of Object.entries(image.links ?? {})) await symlink(target, join(root, path));
    const layer = join(work, 'layer.tar');
    await runCommand('tar', [...reproducible(0), '-C', root, '-cf', layer, '.']);
    const config = {
      ...(image.entrypoint && { Entrypoint: [image.entrypoint] }),
      ...(image.user !== undefined && { User: String(image.user) }),
      Env: ['PATH=/bin'],
      WorkingDir: '/',
    };
    await archiveLayers({ name: image.name, layers: [layer], config, archive: image.archive });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Puts layers and a configuration together into the archive that `ctr images import` reads. */
export async function archiveLayers(image: LayeredImage): Promise<void> {
  const layout = await mkdtemp(`${image.archive}.`);
  try {
    const layers: string[] = [];
    for (const layer of image.layers) {
      const digest = await sha256OfFile(layer);
      await link(layer, join(layout, `${digest}.tar`)).catch(() => copyFile(layer, join(layout, `${digest}.tar`)));
      layers.push(digest);
    }
    const config = JSON.stringify({
      architecture: process.arch === 'x64' ? 'amd64' : process.arch,
      os: 'linux',
      created: '1970-01-01T00:00:00Z',
      config: image.config,
      rootfs: { type: 'layers', diff_ids: layers.map((digest) => `sha256:${digest}`) },
    });
    const configName = `${createHash('sha256').update(config).digest('hex')}.json`;
    await writeFile(join(layout, configName), config);
    const files = layers.map((digest) => `${digest}.tar`);
    const manifest = [{ Config: configName, RepoTags: [image.name], Layers: files }];
    await writeFile(join(layout, 'manifest.json'), JSON.stringify(manifest));
    await runCommand('tar', [...reproducible(0), '-C', layout, '-cf', image.archive, '.']);
  } finally {
    await rm(layout, { recursive: true, force: true });
  }
}

async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
