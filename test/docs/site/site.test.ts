import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allPages } from '../pages.ts';
import { addressOf } from './address.ts';
import { buildSite, writeSite } from './build-site.ts';
import { policy } from './frame.ts';
import { html } from './markdown.ts';
import { navigation, sections } from './navigation.ts';

let folder: string;
let pages: readonly string[];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cutover-site-'));
  writeSite(buildSite(), folder);
  pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.html'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const read = (page: string): string => readFileSync(join(folder, page), 'utf8');
const attributes = (page: string, name: string): readonly string[] =>
  [...page.matchAll(new RegExp(`<\\w[^>]*? ${name}="([^"]*)"`, 'g'))].map(([, value = '']) => value);

/** What is wrong with an address that a page of the site has. */
function problemOf(page: string, address: string): string | undefined {
  const [path = '', anchor] = address.split('#');
  const file = path === '' ? page : join(dirname(page), path);
  if (file.startsWith('..') || !existsSync(join(folder, file))) return `${page}: ${address} leads nowhere`;
  if (statSync(join(folder, file)).isDirectory()) return `${page}: ${address} is a folder, which a disk does not show`;
  if (anchor === undefined) return undefined;
  return attributes(read(file), 'id').includes(anchor) ? undefined : `${page}: ${address} has no such heading`;
}

describe('the site', () => {
  it('has all pages of the documentation, the front page first', () => {
    expect(allPages('docs').filter((source) => !pages.includes(addressOf(source)))).toEqual([]);
    expect(read('index.html')).toContain('<title>Documentation – Cutover</title>');
  });

  it('has no link that leads nowhere, and none into the repository', () => {
    const problems = pages.flatMap((page) =>
      attributes(read(page), 'href')
        .filter((address) => !/^(https|mailto):/.test(address))
        .map((address) => problemOf(page, address))
        .filter((problem) => problem !== undefined),
    );
    expect(problems).toEqual([]);
    expect(problemOf('index.html', 'flink/index.html#nowhere')).toContain('no such heading');
    expect(problemOf('index.html', 'nowhere.html')).toContain('leads nowhere');
  });

  it('loads nothing from elsewhere, and runs nothing', () => {
    for (const page of pages) {
      const made = read(page);
      const loaded = [
        ...attributes(made, 'src'),
        ...[...made.matchAll(/<link [^>]*href="([^"]*)"/g)].map(([, at = '']) => at),
      ];
      expect(loaded.filter((address) => problemOf(page, address) !== undefined)).toEqual([]);
      expect(made).toContain(`content="${policy.replaceAll("'", '&#39;')}"`);
      expect(made).not.toMatch(/<(script|iframe|object|embed|form|style)\b|\son\w+=|\sstyle=/i);
    }
    expect(readFileSync(join(folder, 'style.css'), 'utf8')).not.toMatch(/url\(|@import/);
  });

  it('names an element once on a page', () => {
    for (const page of pages) {
      const ids = attributes(read(page), 'id');
      expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    }
  });

  it('shows files as they are, and lists folders', () => {
    expect(read('source/charts/cutover/values.yaml.html')).toContain('replicas: 2');
    expect(read('source/src/kudo/graph/graph.ts.html')).toContain('readonly ');
    expect(read('source/examples/flink/index.html')).toContain('<a href="basic.yaml.html">');
    expect(existsSync(join(folder, 'images/fleet.png'))).toBe(true);
  });
});

describe('navigation', () => {
  it('is what the front page lists', () => {
    const all = sections();
    expect(all.map(({ title }) => title)).toEqual(['Begin', 'Use', 'Operate', 'Look up', 'Judge']);
    expect(all.flatMap(({ entries }) => entries).map(({ address }) => address)).toContain('operate/troubleshoot.html');
  });

  it.each([
    ['operate/metrics.html', 'metrics.html'],
    ['flink/upgrades.html', 'index.html'],
    ['kudo/generated/operator.html', '../index.html'],
  ])('shows on %s where one is', (page, marked) => {
    const [, current] = /<a href="([^"]*)" aria-current="page">/.exec(navigation(sections(), page)) ?? [];
    expect(current).toBe(marked);
    expect(relative('.', join(dirname(page), current ?? ''))).not.toMatch(/^\.\./);
  });
});

describe('a page of Markdown', () => {
  const made = (markdown: string): string => html(markdown, (target) => (target.startsWith('js') ? undefined : target));

  it.each([
    ['markup', 'a <script>alert(1)</script> b', 'a &lt;script&gt;alert(1)&lt;/script&gt; b'],
    ['markup in blocks', '<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;'],
    ['code', '`<b>`', '<code>&lt;b&gt;</code>'],
    ['blocks of code', '```html\n<b>"\n```', '&lt;b&gt;&quot;'],
    ['links with quotes', '[a](x"y)', 'href="x&quot;y"'],
    ['the text of pictures', '![a"b](x.png)', 'alt="a&quot;b"'],
    ['languages', '```"><b>\nx\n```', '&quot;&gt;&lt;b&gt;'],
  ])('has %s as text', (_, markdown, expected) => {
    expect(made(markdown)).toContain(expected);
  });

  it('has no link where it must not lead', () => {
    expect(made('[run me](js:alert)')).toBe('<p>run me</p>\n');
  });

  it('leaves remarks out, and keeps what stands beside them', () => {
    expect(made('# T\n\n<!-- Generated. -->\n\ntext')).not.toContain('Generated');
  });

  it('gives headings the names that GitHub gives them', () => {
    const ids = attributes(made('# `a` & b\n## [The *end*](x)\n## The end\n'), 'id');
    expect(ids).toEqual(['a--b', 'the-end', 'the-end-1']);
  });

  it('lets wide tables be moved, not the page', () => {
    expect(made('| a |\n| - |\n| `<table>` |\n')).toMatch(/^<div class="wide"><table>.*<\/table>\n?<\/div>\s*$/s);
  });
});
