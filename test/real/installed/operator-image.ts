import { chmod, copyFile, cp, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runCommand } from '../../../rig/command.ts';
import { archiveLayers, reproducible } from '../../../rig/image.ts';
import type { Progress } from '../../../rig/progress.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/** The image of the operator, under the name that the node has it by. */
export const OPERATOR_IMAGE = { repository: 'rig.local/cutover', tag: 'tested' } as const;

/**
 * Builds the bundle and an image of it as `image/Containerfile` lays it out: Node with the libraries it is linked to,
 * the program, nothing else, for a user who is nobody. Returns the archive.
 */
export async function operatorImage(progress: Progress): Promise<string> {
  return await progress.step('building the image of the operator', async () => {
    await runCommand('npm', ['run', 'build'], { cwd: root });
    const folder = join(root, 'node_modules', '.cache', 'cutover', 'operator-image');
    await mkdir(folder, { recursive: true });
    const work = await mkdtemp(join(folder, 'work-'));
    try {
      const files = join(work, 'root');
      await cp(join(root, 'dist'), join(files, 'app'), { recursive: true });
      await writeFile(join(files, 'app', 'package.json'), '{ "type": "module" }\n');
      await mkdir(join(files, 'tmp'));
      await chmod(join(files, 'tmp'), 0o1777);
      for (const [path, source] of Object.entries(await runtime())) {
        await mkdir(dirname(join(files, path)), { recursive: true });
        await copyFile(source, join(files, path));
      }
      const layer = join(work, 'layer.tar');
      await runCommand('tar', [...reproducible(0), '-C', files, '-cf', layer, '.']);
      const archive = join(work, 'image.tar');
      await archiveLayers({
        name: `${OPERATOR_IMAGE.repository}:${OPERATOR_IMAGE.tag}`,
        layers: [layer],
        config: { Entrypoint: ['/usr/local/bin/node', '/app/cutover.js'], User: '65532', WorkingDir: '/app' },
        archive,
      });
      await rename(archive, join(folder, 'image.tar'));
      return join(folder, 'image.tar');
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  });
}

/** This Node, and every library that the loader would open for it. */
async function runtime(): Promise<Readonly<Record<string, string>>> {
  const linked = await runCommand('ldd', [process.execPath]);
  const libraries = [...linked.matchAll(/(\/\S+) \(0x/g)].map(([, path = '']) => path);
  return { 'usr/local/bin/node': process.execPath, ...Object.fromEntries(libraries.map((path) => [path, path])) };
}
