import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { CfError } from '../cf-error.ts';
import { ignored, parsePayload, relationship } from './parse-body.ts';

const schema = z.strictObject({
  name: z.string().min(1),
  relationships: z.strictObject({ space: relationship }),
  count: z.int().min(0).optional(),
  kind: z.enum(['a', 'b']).optional(),
  suspended: ignored,
});
const relationships = { space: { data: { guid: 'g' } } };

function refusal(body: unknown): string {
  try {
    parsePayload(body, schema);
  } catch (error) {
    if (error instanceof CfError) return `${error.status} ${error.detail}`;
  }
  return expect.fail('nothing was refused');
}

describe('bodies of requests', () => {
  it('take what the published API has and this platform does without', () => {
    const body = { name: 'n', relationships, suspended: true };
    expect(parsePayload(body, schema)).toMatchObject({ name: 'n', relationships });
  });

  it.each([
    [{}, '422 name cannot be blank, relationships is required'],
    [{ name: '', relationships }, '422 name cannot be blank'],
    [{ name: 7, relationships }, '422 Name must be a string'],
    [{ name: 'n', relationships: { space: {} } }, '422 relationships.space.data is required'],
    [{ name: 'n', relationships, count: -1 }, '422 count must be 0 or greater'],
    [{ name: 'n', relationships, kind: 'c' }, '422 kind value must be one of: a, b'],
    [{ name: 'n', relationships, bogus: 1 }, '422 invalid request body: json: unknown field "bogus"'],
    [[], '400 Request invalid due to parse error: invalid request body'],
    [null, '400 Request invalid due to parse error: invalid request body'],
    [
      { name: { length: { toString: 0 } }, relationships },
      '400 Request invalid due to parse error: invalid request body',
    ],
    ['text', '400 Request invalid due to parse error: invalid request body'],
  ])('%j is refused', (body, words) => {
    expect(refusal(body)).toBe(words);
  });

  it('refuse a field that would reach into the prototype', () => {
    expect(refusal(JSON.parse('{"name":"n","__proto__":{"polluted":true}}'))).toMatch(/^422 /);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('are not answered by more than they said, however much of them is wrong', () => {
    const many = z.strictObject({ list: z.array(z.string()) });
    const body = { list: Array.from({ length: 5000 }, (_, index) => index) };
    expect(() => parsePayload(body, many)).toThrow(
      /^List\.0 must be a string, .*List\.19 must be a string, and 4980 more$/,
    );
  });
});
