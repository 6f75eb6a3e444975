/** `npm run site`: makes a web site of `docs/` in `site/`, or in the folder that is named. */
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { root } from '../pages.ts';
import { buildSite, writeSite } from './build-site.ts';

const [named] = process.argv.slice(2);
const folder = named === undefined ? join(root, 'site') : resolve(named);
const site = buildSite();
// Only what is ours to delete: pages that are gone must not stay in our own folder.
if (named === undefined) rmSync(folder, { recursive: true, force: true });
writeSite(site, folder);
console.log(`${site.size} files are in ${folder}; open ${join(folder, 'index.html')}`);
