import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The files of the dashboard by name: `index.html`, `app-BMW4wET8.js` and so on. A built program has them beside it, in `web/`. From
 * source they are bundled here and now, in memory, so that what is shown is what is written; that takes well under a second.
 */
export async function webAssets(): Promise<Readonly<Record<string, Uint8Array>>> {
  const here = import.meta.dirname;
  const web = join(here, '..');
  if (existsSync(join(web, 'main.tsx'))) return bundled(web);
  // Built, the code of this file is in `dist/cutover.js` or in `dist/chunks/`.
  const ready = [join(here, 'web'), join(here, '..', 'web')].find((folder) => existsSync(join(folder, 'index.html')));
  if (ready === undefined) {
    throw new Error(`the dashboard is missing: there is no ${join(here, 'web', 'index.html')}; npm run build makes it`);
  }
  return Object.fromEntries(readdirSync(ready).map((name) => [name, readFileSync(join(ready, name))]));
}

async function bundled(web: string): Promise<Readonly<Record<string, Uint8Array>>> {
  const [{ rolldown }, { webBundle }] = await Promise.all([import('rolldown'), import('./web-bundle.ts')]);
  const { output, ...input } = webBundle(web);
  const bundle = await rolldown(input);
  try {
    const made = await bundle.generate(output);
    return Object.fromEntries(
      made.output.map((one) => [one.fileName, Buffer.from(one.type === 'chunk' ? one.code : one.source)]),
    );
  } finally {
    await bundle.close();
  }
}
