import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { allPages, root, text } from '../pages.ts';
import { readPage } from '../read-page.ts';

/**
 * What a file of the repository becomes: a page of its Markdown; a page that shows a text as it is; a page that lists what is in
 * a folder; or a copy.
 */
export type SourceKind = 'markdown' | 'listing' | 'folder' | 'copy';

export function kindOf(source: string): SourceKind {
  if (statSync(join(root, source)).isDirectory()) return 'folder';
  if (source.endsWith('.md')) return 'markdown';
  return /\.(png|svg|json)$/.test(source) ? 'copy' : 'listing';
}

/** Where a link of a page leads within the repository; a folder that explains itself stands for its README. */
export function sourceOf(page: string, target: string): string {
  const [path = ''] = target.split('#');
  const source = path === '' ? page : normalize(join(dirname(page), path)).replace(/\/$/, '');
  const readme = `${source}/README.md`;
  return existsSync(join(root, readme)) ? readme : source;
}

/** Everything in a folder, at any depth. */
export function filesIn(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file}`)
    .filter((file) => !statSync(join(root, file)).isDirectory())
    .sort();
}

export function isElsewhere(target: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(target);
}

/** The pages of `docs/`, and all that they lead to, so that every link of the site stays in it. */
export function sources(): readonly string[] {
  const found = new Set(allPages('docs'));
  for (const source of found) {
    for (const next of ledTo(source)) found.add(next);
  }
  return [...found].sort();
}

function ledTo(source: string): readonly string[] {
  switch (kindOf(source)) {
    case 'markdown':
      return readPage(text(source))
        .targets.filter((target) => !isElsewhere(target))
        .map((target) => sourceOf(source, target));
    case 'folder':
      return filesIn(source);
    default:
      return [];
  }
}
