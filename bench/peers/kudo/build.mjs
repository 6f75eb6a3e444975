import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { attempt } from '../../../rig/attempt.ts';
import { cached, filesUnder } from '../../../rig/cache.ts';
import { cacheDirectory } from '../../../rig/directories.ts';
import { findGo } from '../../../rig/go.ts';

const module = 'github.com/kudobuilder/kudo';
const target = `${module}/cmd/manager`;
export const version = '0.19.0';

/**
 * KUDO's manager as published, unchanged, in `manager`, and the definitions of its kinds in `crds`. Both are made from the
 * Go module of that version when they are first wanted, and kept where the rig keeps what it builds.
 */
export function buildManager(progress) {
  const cache = cacheDirectory();
  const versions = filesUnder(import.meta.dirname).filter((file) => /^(go\.(mod|sum)|nothing\/go\.mod)\n/.test(file));
  const make = async (directory) => {
    const go = await findGo(cache, progress);
    const run = (args) => go.run(import.meta.dirname, args);
    await progress.step(`building KUDO's manager ${version} (about a minute on two idle cores)`, () =>
      attempt("building KUDO's manager", progress, () =>
        run(['build', '-trimpath', '-ldflags', '-s -w', '-o', join(directory, 'manager'), target]),
      ),
    );
    const source = (await run(['list', '-m', '-f', '{{.Dir}}', module])).trim();
    await cp(join(source, 'config', 'crds'), join(directory, 'crds'), { recursive: true });
  };
  return cached(cache, { name: 'kudo-manager', version, inputs: [process.arch, ...versions], make }, progress);
}
