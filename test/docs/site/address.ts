import { dirname, relative } from 'node:path';
import { kindOf } from './sources.ts';

/** Where something of the repository is on the site. Pages of `docs/` come first; all else is below `source/`. */
export function addressOf(source: string): string {
  const place = source.startsWith('docs/') ? source.slice('docs/'.length) : `source/${source}`;
  switch (kindOf(source)) {
    case 'markdown':
      return place.replace(/README\.md$/, 'index.md').replace(/\.md$/, '.html');
    case 'folder':
      return `${place}/index.html`;
    case 'listing':
      return `${place}.html`;
    case 'copy':
      return place;
  }
}

/** From one page of the site to another: it works wherever the site is put, also from a disk. */
export function linkTo(to: string, from: string): string {
  return relative(dirname(from), to);
}
