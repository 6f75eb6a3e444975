import { expect, it } from 'vitest';
import { whatIsNew } from './what-is-new.ts';

it.each([
  ['It failed. Blue serves on.', 'It failed. Put the template back.', 'Put the template back.'],
  ['It failed.', 'It failed. Put the template back.', 'Put the template back.'],
  ['It failed; blue serves.', 'It failed; put the template back.', 'put the template back.'],
  ['It failed.', 'Put the template back.', 'Put the template back.'],
  ['It failed: no image', 'It failed: no idea. Ask somebody who knows.', 'It failed: no idea. Ask somebody who knows.'],
  ['It failed.', 'It failed.', 'It failed.'],
  ['It failed.', 'It failed. Retry.', 'It failed. Retry.'],
  ['', 'Put the template back.', 'Put the template back.'],
])('%j, then %j: %j', (first, second, rest) => {
  expect(whatIsNew(first, second)).toBe(rest);
});
