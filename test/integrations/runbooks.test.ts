import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandLinesIn, problemOf } from './command-lines.ts';

const operate = join(import.meta.dirname, '..', '..', 'docs', 'operate');
const pages = readdirSync(operate, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.md') && !file.includes('generated'))
  .sort();
const text = (page: string): string => readFileSync(join(operate, page), 'utf8');

describe('commands of a page can be typed', () => {
  it.each(pages.filter((page) => commandLinesIn(text(page)).length > 0))('%s', async (page) => {
    const problems = await Promise.all(
      commandLinesIn(text(page)).map(async (line) => {
        const problem = await problemOf(line);
        return problem === undefined ? [] : [`${line}: ${problem}`];
      }),
    );
    expect(problems.flat()).toEqual([]);
  });

  it.each([
    ['cutover lst', 'cutover has no command lst'],
    ['cutover list --filtre x', 'list has no --filtre x'],
    ['cutover get -n shop', 'get needs 1 words'],
    ['kubectl frobnicate pods', 'kubectl has no frobnicate that a page should use'],
    ["cutover get 'Instance/a' -n b | grep x", undefined],
  ])('unless it is %s', async (line, problem) => {
    const found = await problemOf(line);
    if (problem === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(problem);
  });
});

describe('runbooks', () => {
  it.each(pages.filter((page) => /runbooks\/Cutover/.test(page)))('%s: meaning, impact, diagnosis, cure', (page) => {
    const headings = [...text(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
    expect(headings).toEqual([page.replace(/^.*\/|\.md$/g, ''), 'Impact', 'Diagnose', 'Mend']);
    expect(commandLinesIn(text(page)).length).toBeGreaterThan(0);
  });
});
