import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../kube/object.ts';
import { setValues } from './set-value.ts';

const set = (text: string, values: JsonObject = {}): JsonObject => setValues(values, text);

describe('--set', () => {
  it.each<[string, JsonObject]>([
    ['a=b', { a: 'b' }],
    ['a.b.c=1', { a: { b: { c: 1 } } }],
    ['a=1,b=true,c=false,d=null', { a: 1, b: true, c: false, d: null }],
    ['a=01,b=1.5,c=-3,d=0', { a: '01', b: '1.5', c: -3, d: 0 }],
    ['a=9007199254740993', { a: '9007199254740993' }],
    ['a=', { a: '' }],
    ['a={}', { a: [] }],
    ['a={x,2,true}', { a: ['x', 2, true] }],
    ['a={x\\,y}', { a: ['x,y'] }],
    ['a[1].b=x', { a: [null, { b: 'x' }] }],
    ['a[0][1]=x', { a: [[null, 'x']] }],
    ['a[0]=x,a[1]=y', { a: ['x', 'y'] }],
    ['a\\.b/c=x', { 'a.b/c': 'x' }],
    ['a=x\\,y=z', { a: 'x,y=z' }],
    ['a=http://x/?q=1', { a: 'http://x/?q=1' }],
    ['a=b,', { a: 'b' }],
  ])('%s', (text, values) => {
    expect(set(text)).toEqual(values);
  });

  it('goes over what is there, and changes nothing else', () => {
    const before = Object.freeze({ a: Object.freeze({ b: 1, c: Object.freeze([1, 2]) }) });
    expect(set('a.c[1]=3,a.d=4', before)).toEqual({ a: { b: 1, c: [1, 3], d: 4 } });
    expect(set('a.b.x=1', before)).toEqual({ a: { b: { x: 1 }, c: [1, 2] } });
  });

  it('takes names for names, also those that objects have by themselves', () => {
    const values = set('__proto__.polluted=true,constructor=x');
    expect(Object.keys(values)).toEqual(['__proto__', 'constructor']);
    expect(({} as { readonly polluted?: boolean }).polluted).toBeUndefined();
  });

  it.each([
    ['a', '--set a: "a" has no value; write name=value'],
    ['=x', '--set =x: a name is missing'],
    ['a..b=x', '--set a..b=x: a name is missing'],
    ['a={x', '--set a={x: a list that begins with { must end with }'],
    ['a[x]=1', '--set a[x]=1: "[x" is no place in a list; write [0]'],
    ['a[0=1', '--set a[0=1: "[0=1" is no place in a list; write [0]'],
    ['a[1000]=1', '--set a[1000]=1: 1000 is too far behind the end of a list'],
  ])('says what is wrong with %s', (text, message) => {
    expect(() => set(text)).toThrow(message);
  });
});
