import { describe, expect, it } from 'vitest';
import { CfError } from '../cf-error.ts';
import { changedEnvironment, newApp } from './app.ts';
import { parsePayload } from './parse-body.ts';

function refused(body: unknown): string | undefined {
  try {
    parsePayload(body, changedEnvironment);
    return undefined;
  } catch (error) {
    return error instanceof CfError ? `${error.status} ${error.detail}` : String(error);
  }
}

const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);

describe('environment variables', () => {
  it('may be whatever has a text', () => {
    const variables = { TEXT: 'x', NUMBER: 1, NONE: null, DEEP: nested(100), 'lower.case-_1': { a: ['\0'] } };
    expect(parsePayload({ var: variables }, changedEnvironment)).toEqual({ var: variables });
  });

  it.each<[string, unknown, string]>([
    ['nothing', {}, '422 var is required'],
    ['a list', { var: [] }, '422 Var must be a record'],
    ['a name of the platform', { var: { VCAP_X: '1' } }, '422 var.VCAP_X prefix VCAP_ is not allowed'],
    [
      'no name',
      { var: { '': '1' } },
      "422 var. must be made of letters, digits, '-', '_' and '.', at most 253 of them",
    ],
    ['a prototype', JSON.parse('{"var":{"__proto__":{"a":1}}}'), '422 var.__proto__ is not allowed as a name'],
    ['what ends a text', { var: { A: 'x\0y' } }, '422 var.A must not contain a null character'],
    ['a deep value', { var: { A: nested(101) } }, '422 var.A must not be nested deeper than 100 levels'],
    ['an abyss', { var: { A: nested(100_000) } }, '422 var.A must not be nested deeper than 100 levels'],
  ])('are refused when they hold %s', (_what, body, detail) => {
    expect(refused(body)).toBe(detail);
  });

  it('need not be there in a new app', () => {
    const app = { name: 'web', relationships: { space: { data: { guid: 'g' } } } };
    expect(parsePayload(app, newApp)).toEqual(app);
    expect(parsePayload({ ...app, environment_variables: null }, newApp).environment_variables).toBeNull();
  });
});
