import { expect, it } from 'vitest';
import { unheeded } from './unheeded.ts';

it('finds what a spec says and nothing that was made does', () => {
  const usual = { image: 'flink:1.20', job: { parallelism: 2 } };
  const spec = { image: 'flink:1.19', job: { parallelism: 2, args: ['--rate', '5'] }, port: 9999, on: true };
  const made = JSON.stringify({ spec: { image: 'flink:1.19', args: ['--rate', '5'] } });
  expect(unheeded(usual, spec, made)).toEqual(['9999']);
  expect(unheeded(usual, spec, made, { '9999': 'image' })).toEqual([]);
  expect(unheeded(usual, usual, '')).toEqual([]);
  expect(unheeded(usual, spec, '')).toEqual(['flink:1.19', '--rate', '9999']);
});
