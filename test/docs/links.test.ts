import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allPages, root, text } from './pages.ts';
import { readPage } from './read-page.ts';

const pages = allPages();

describe('links', () => {
  it.each(pages)('of %s lead somewhere', (page) => {
    expect(readPage(text(page)).targets.filter((target) => !leads(page, target))).toEqual([]);
  });

  it.each([
    ['gone.md', false],
    ['operate/README.md#size', true],
    ['operate/README.md#sizes', false],
    ['operate/#size', false],
    ['../../outside.md', false],
    ['#begin', true],
  ])('to %s from the front page: %s', (target, does) => {
    expect(leads('docs/README.md', target)).toBe(does);
  });
});

describe('the front page of the documentation', () => {
  it('leads to every other page, in some steps', () => {
    const found = new Set<string>(['docs/README.md']);
    for (const page of found) {
      for (const target of readPage(text(page)).targets) {
        const [path = ''] = target.split('#');
        const file = join(dirname(page), path);
        if (path.endsWith('.md') && !/^[a-z]+:/.test(path)) found.add(file);
      }
    }
    expect(pages.filter((page) => page.startsWith('docs/') && !found.has(page))).toEqual([]);
  });
});

function leads(page: string, target: string): boolean {
  if (/^(https|mailto):/.test(target)) return true;
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? join(root, page) : join(root, dirname(page), path);
  if (!existsSync(file) || relative(root, file).startsWith('..')) return false;
  if (anchor === undefined || statSync(file).isDirectory()) return anchor === undefined;
  return readPage(text(relative(root, file))).anchors.includes(anchor);
}
