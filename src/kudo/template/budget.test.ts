import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Budget } from './budget.ts';
import { FunctionFailure } from './function.ts';
import { LimitExceeded } from './limits.ts';

const key = new Uint8Array(32).fill(7);
const block = (template: string, count: number): Buffer =>
  createHmac('sha256', key).update(`${template}\0${count}`).digest();

describe('random bytes of a template', () => {
  it('are the same for the same key and template, piece by piece', () => {
    const stream = Buffer.concat([block('a.yaml', 0), block('a.yaml', 1), block('a.yaml', 2)]);
    const budget = new Budget('a.yaml', key, {});
    const pieces = [5, 0, 40, 32, 19].map((bytes) => budget.random(bytes));
    expect(pieces.map(({ length }) => length)).toEqual([5, 0, 40, 32, 19]);
    expect(Buffer.concat(pieces)).toEqual(stream);
    expect(new Budget('a.yaml', key, {}).random(96)).toEqual(new Uint8Array(stream));
  });

  it('differ by template and key', () => {
    const drawn = new Budget('a.yaml', key, {}).random(16);
    expect(new Budget('b.yaml', key, {}).random(16)).not.toEqual(drawn);
    expect(new Budget('a.yaml', new Uint8Array(32), {}).random(16)).not.toEqual(drawn);
  });

  it('do not exist without a key', () => {
    expect(() => new Budget('a.yaml', undefined, {}).random(1)).toThrow(
      new FunctionFailure('there is no key to draw random values from'),
    );
  });

  it('count as memory', () => {
    const budget = new Budget('a.yaml', key, { memory: 10 });
    budget.random(10);
    expect(() => budget.random(1)).toThrow(LimitExceeded);
  });
});
