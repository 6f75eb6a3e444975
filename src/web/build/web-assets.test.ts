import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { webAssets } from './web-assets.ts';

const assets = await webAssets();
const text = (name: string | undefined): string => Buffer.from(assets[name ?? ''] ?? []).toString();
const named = (ending: string): string | undefined => Object.keys(assets).find((name) => name.endsWith(ending));

describe('the files of the dashboard', () => {
  it('are a page, and a script, a sheet and an icon with their hash in the name', () => {
    const names = Object.keys(assets).map((name) => name.replace(/-[\w-]{8}\./, '-HASH.'));
    expect(names.sort()).toEqual(['app-HASH.css', 'app-HASH.js', 'icon-HASH.svg', 'index.html']);
    for (const name of Object.keys(assets))
      if (name !== 'index.html') expect(text('index.html')).toContain(`"/${name}"`);
  });

  it('weigh less than a photograph', () => {
    const bytes = Object.values(assets).reduce((sum, body) => sum + gzipSync(body).length, 0);
    expect(bytes).toBeLessThan(50_000);
  });

  it('have nothing inline, so that the strictest policy lets them through', () => {
    const page = text('index.html');
    expect(page).not.toMatch(/<style|style=|\son\w+=|javascript:/);
    expect(page.match(/<script[^>]*>/g)).toHaveLength(1);
    expect(page).toMatch(/<script type="module" src="\/app-[\w-]{8}\.js"><\/script>/);
    expect(/\beval\(|new Function\(/.test(text(named('.js')))).toBe(false);
  });

  it('never make markup out of text', () => {
    const web = join(import.meta.dirname, '..');
    const sources = globSync('**/*.{ts,tsx}', { cwd: web }).filter((file) => !file.endsWith('.test.ts'));
    expect(sources).toContain('main.tsx');
    const markup = /dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write/;
    expect(sources.filter((file) => markup.test(readFileSync(join(web, file), 'utf8')))).toEqual([]);
  });

  it('ask for nothing from elsewhere', () => {
    const links = [...text(named('.js')).matchAll(/https?:\/\/[^"'`\s)]+/g)].map(([link]) => link);
    expect(links.filter((link) => !link.startsWith('http://www.w3.org/'))).toEqual([]);
    expect(text(named('.css'))).not.toMatch(/url\(|@import|https?:/);
  });

  it('have a sheet whose layers are all declared, with braces that match', () => {
    const sheet = text(named('.css'));
    const [, declared = ''] = /^@layer ([\w,]+);/.exec(sheet) ?? [];
    const used = new Set([...sheet.matchAll(/@layer (\w+)\{/g)].map(([, name]) => name));
    expect([...used].sort()).toEqual(declared.split(',').sort());
    expect(sheet.split('{')).toHaveLength(sheet.split('}').length);
  });
});
