import { describe, expect, it } from 'vitest';
import { commandLinesIn, problemOf } from '../integrations/command-lines.ts';
import { allPages, text } from './pages.ts';

const pages = allPages().filter((page) => commandLinesIn(text(page)).length > 0);

describe('what pages tell people to type', () => {
  it.each(pages)('can be typed: %s', async (page) => {
    const problems: string[] = [];
    for (const line of commandLinesIn(text(page))) {
      const problem = await problemOf(line);
      if (problem !== undefined) problems.push(`${line}: ${problem}`);
    }
    expect(problems).toEqual([]);
  });

  it('is most of what there is', () => {
    expect(pages.length).toBeGreaterThan(40);
  });
});
