import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { differences } from './differences.ts';
import { recordingNames } from './recording.ts';

const folder = import.meta.dirname;
const tests = readdirSync(folder)
  .filter((name) => name.endsWith('.test.ts') && name !== 'covered.test.ts')
  .map((name) => readFileSync(join(folder, name), 'utf8'))
  .join('\n');

it('plays every recording of the API', () => {
  expect(recordingNames().filter((name) => !tests.includes(`'${name}'`))).toEqual([]);
});

it('lists differences only of recordings that there are', () => {
  const names = new Set(recordingNames());
  const unknown = differences.filter(({ recording }) => recording !== '*' && !names.has(recording));
  expect(unknown).toEqual([]);
});
