import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root, text } from '../pages.ts';
import { addressOf, linkTo } from './address.ts';
import { escaped } from './escaped.ts';
import { frame } from './frame.ts';
import { html } from './markdown.ts';
import { sections } from './navigation.ts';
import { filesIn, isElsewhere, kindOf, sourceOf, sources } from './sources.ts';

/** Files of the site by their address. */
export type Site = ReadonlyMap<string, string | Uint8Array>;

export function buildSite(): Site {
  const all = sections();
  const site = new Map<string, string | Uint8Array>([['style.css', text('test/docs/site/style.css')]]);
  for (const source of sources()) {
    const address = addressOf(source);
    if (kindOf(source) === 'copy') site.set(address, readFileSync(join(root, source)));
    else site.set(address, frame({ address, title: titleOf(source), body: bodyOf(source), sections: all }));
  }
  return site;
}

export function writeSite(site: Site, folder: string): void {
  for (const [address, content] of site) {
    const file = join(folder, address);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

function titleOf(source: string): string {
  if (kindOf(source) !== 'markdown') return source;
  return (/^# (.+)$/m.exec(text(source))?.[1] ?? source).replaceAll('`', '');
}

function bodyOf(source: string): string {
  const address = addressOf(source);
  switch (kindOf(source)) {
    case 'markdown':
      return html(text(source), (target) => {
        if (isElsewhere(target)) return /^(https|mailto):/i.test(target) ? target : undefined;
        const [path = '', anchor] = target.split('#');
        const page = path === '' ? '' : linkTo(addressOf(sourceOf(source, target)), address);
        return anchor === undefined ? page : `${page}#${anchor}`;
      });
    case 'folder':
      return `<h1>${escaped(source)}</h1>\n<ul>\n${filesIn(source)
        .map((file) => `<li><a href="${escaped(linkTo(addressOf(file), address))}">${escaped(file)}</a></li>\n`)
        .join('')}</ul>\n`;
    default:
      return `<h1>${escaped(source)}</h1>\n<pre><code>${escaped(text(source))}</code></pre>\n`;
  }
}
