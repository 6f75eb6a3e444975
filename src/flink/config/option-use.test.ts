import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { blueGreenOptions } from './blue-green-options.ts';
import { flinkOptions } from './flink-options.ts';
import { operatorOptions } from './operator-options.ts';
import type { AnyOption } from './option.ts';

const folder = join(import.meta.dirname, '..');

/** All that Flink's folder consists of, without tests. */
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !/\.(test|fixture)\.ts$/.test(name))
  .map((name) => readFileSync(join(folder, name), 'utf8'));

/** The options of a table that some code names: as `table.name`, or in a `const { name } = table`. */
function named(table: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const source of sources) {
    const alias = new RegExp(`\\b${table} as (\\w+)`).exec(source)?.[1] ?? table;
    for (const [, name = ''] of source.matchAll(new RegExp(`\\b${alias}\\.(\\w+)`, 'g'))) found.add(name);
    for (const [, names = ''] of source.matchAll(new RegExp(`\\{([^{}]*)\\} = ${alias}\\b`, 'g'))) {
      for (const [name] of names.matchAll(/\w+/g)) found.add(name);
    }
  }
  return found;
}

describe('an option that is read at the start', () => {
  it('says so, and no other does: the chart replaces pods when it changes', () => {
    // Where the controllers are made, and nowhere else, values are kept.
    const made = readFileSync(join(folder, 'controllers.ts'), 'utf8');
    const read = new Set([...made.matchAll(/\boperatorOptions\.(\w+)/g)].map(([, name]) => name));
    const said = Object.entries<AnyOption>(operatorOptions).flatMap(([name, { atStart }]) => (atStart ? [name] : []));
    expect(said.toSorted()).toEqual([...read].toSorted());
  });
});

describe('every option that claims to do something', () => {
  const tables = { operatorOptions, blueGreenOptions, flinkOptions };

  it.each(Object.keys(tables) as (keyof typeof tables)[])('of %s is read by some code', (table) => {
    const used = named(table);
    expect(Object.keys(tables[table]).filter((name) => !used.has(name))).toEqual([]);
  });
});
