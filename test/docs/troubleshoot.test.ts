import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root, text } from './pages.ts';
import { readPage } from './read-page.ts';

/** All that is shipped, without tests and without what the embedded cluster says. */
const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !/\.(test|fixture)\.ts$/.test(file) && !file.startsWith('embedded'))
  .map((file) => text(`src/${file}`))
  .join('\n');

const page = 'docs/operate/troubleshoot.md';
const { spoken } = readPage(text(page));
/** Words of conditions, events, pods and kinds. */
const words = [...new Set(spoken.filter((one) => /^[A-Z][a-z]+[A-Za-z]*$/.test(one)))];
const sentences = spoken.filter((one) => /^[A-Z]\w* .* \S*\.?$/.test(one));

describe('the page of symptoms', () => {
  it('quotes many, of all families', () => {
    expect(words.length).toBeGreaterThan(50);
    expect(sentences.length).toBeGreaterThan(6);
  });

  it('names no reason, condition or kind that nothing says', () => {
    const unsaid = words.filter((word) => !sources.includes(`'${word}'`) && !kubernetes.includes(word));
    expect(unsaid).toEqual([]);
  });

  it('quotes no message that nobody gets', () => {
    expect(sentences.filter((sentence) => !sources.includes(sentence))).toEqual([]);
  });

  it('has a row with four parts for everything', () => {
    const rows = [...text(page).matchAll(/^\| (?!you see|---)(.+) \|$/gm)].map(([, row = '']) => row.split(' | '));
    const short = rows.filter(
      (cells) => cells.length !== 4 && !(cells.length === 2 && cells[1]?.includes('runbooks/')),
    );
    expect(short).toEqual([]);
  });
});

/** What Kubernetes says, and nobody here has to know by name. */
const kubernetes = ['Host'];
