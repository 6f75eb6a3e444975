import { describe, expect, it } from 'vitest';
import type { FieldError } from '../../status-error.ts';
import { noOld } from '../old-value.ts';
import type { Schema } from '../schema.ts';
import { checkRules } from './check-rules.ts';
import { escapeName } from './escape.ts';
import { fieldPathOf } from './field-path.ts';
import { compileRules } from './rules.ts';

const text: Schema = { type: 'string' };
const whole: Schema = { type: 'integer' };

const object: Schema = {
  type: 'object',
  properties: {
    n: whole,
    d: { type: 'number' },
    s: text,
    l: { type: 'array', items: whole },
    o: { type: 'object', properties: { a: text } },
    m: { type: 'object', additionalProperties: whole },
    t: { type: 'string', format: 'date-time' },
    b: { type: 'string', format: 'byte' },
    'a-b.c/d__e': whole,
    namespace: text,
  },
};

const value = {
  n: 3,
  d: 1.5,
  s: 'abc',
  l: [3, 1, 2],
  o: { a: 'x' },
  m: { one: 1, two: 2 },
  t: '2024-05-06T07:08:09Z',
  b: 'aGk=',
  'a-b.c/d__e': 7,
  namespace: 'ns',
};

function holds(rule: string): boolean | string {
  const schema: Schema = { ...object, 'x-kubernetes-validations': [{ rule }] };
  const [compiled] = compileRules(schema);
  if (compiled?.problem) return compiled.problem;
  const errors: FieldError[] = [];
  checkRules(schema, value, noOld, errors);
  return errors.length === 0 ? true : (errors[0]?.message ?? '');
}

describe('a rule', () => {
  it.each([
    'self.n / 2 == 1 && self.d / 2.0 == 0.75',
    'self.n > 2.5',
    'self.l.sum() == 6 && self.l.min() == 1 && self.l.max() == 3',
    '!self.l.isSorted() && [1, 2].isSorted()',
    'self.l.indexOf(1) == 1 && self.l.lastIndexOf(9) == -1',
    'self.l.exists(x, x == 3) && self.l.all(x, x < 4) && self.l.exists_one(x, x == 1)',
    'self.l.filter(x, x > 1).map(x, x * 2) == [6, 4]',
    '"one" in self.m && self.m["two"] == 2 && self.m.all(k, self.m[k] > 0)',
    'has(self.o.a) && self.o == self.o && self.o != null',
    'self.s.matches("^[a-c]+$") && self.s.find("b.") == "bc" && self.s.findAll("[ac]") == ["a", "c"]',
    'self.s.charAt(1) == "b" && self.s.replace("b", "x") == "axc" && self.s.reverse() == "cba"',
    'self.s.substring(1) == "bc" && self.s.split("b") == ["a", "c"] && self.s.upperAscii() == "ABC"',
    '"%s is %d, %.2f".format([self.s, self.n, self.d]) == "abc is 3, 1.50"',
    'self.t > timestamp("2024-01-01T00:00:00Z") && self.t.getFullYear() == 2024',
    'duration("90m") == duration("1h30m") && duration("1h").getMinutes() == 60',
    'size(self.b) == 2',
    'self.a__dash__b__dot__c__slash__d__underscores__e == 7 && self.__namespace__ == "ns"',
    'quantity("1.5Gi").isGreaterThan(quantity("1G")) && quantity("500m").add(quantity("0.5")) == quantity("1")',
    'quantity("2k").asInteger() == 2000 && isQuantity("1e3") && !isQuantity("1x") && quantity("-1").sign() == -1',
    'url("https://host:8443/a/b?x=1&x=2").getHost() == "host:8443" && url("https://h/p").getEscapedPath() == "/p"',
    'url("https://h?x=1&x=2").getQuery()["x"] == ["1", "2"] && isURL("/path") && !isURL("x")',
    'ip("10.1.2.3").family() == 4 && cidr("10.0.0.0/8").containsIP("10.1.2.3") && !isIP("x") && isCIDR("::/0")',
    'sets.contains(self.l, [1, 2]) && sets.equivalent([1, 2], [2, 1, 1]) && !sets.intersects(self.l, [9])',
    'self.?o.?a.orValue("none") == "x" && optional.none().orValue(1) == 1',
    'cel.bind(n, self.n, n + 1 == 4)',
    'type(self.n) == int && string(self.n) == "3" && int("3") == self.n',
  ])('%s', (rule) => {
    expect(holds(rule)).toBe(true);
  });

  it.each([
    ['self.m["zz"] == 1', 'Invalid value: "object": no such key: zz evaluating rule: self.m["zz"] == 1'],
    ['self.l[7] == 1', 'Invalid value: "object": index out of bounds: 7 evaluating rule: self.l[7] == 1'],
    ['self.n / 0 == 1', 'Invalid value: "object": division by zero evaluating rule: self.n / 0 == 1'],
    ['self.n == 4', 'Invalid value: failed rule: self.n == 4'],
  ])('that does not hold, %s, says so', (rule, message) => {
    expect(holds(rule)).toBe(message);
  });

  it.each([
    ['self.n.frob()', "undeclared reference to 'frob' (in container '')"],
    ['semver("1.0.0").major() == 1', "undeclared reference to 'semver' (in container '')"],
    ['self.s.size(3) == 1', "found no matching overload for 'size' applied to 'string.(int)'"],
    ['self.o.b == "x"', "undefined field 'b'"],
    ['has(self.o.b)', "undefined field 'b'"],
    ['self.n == self.s', "found no matching overload for '_==_' applied to '(int, string)'"],
    ['self.n', 'cel expression must evaluate to a bool'],
  ])('with a mistake or a function there is not, %s, does not compile', (rule, why) => {
    expect(holds(rule)).toContain(why);
  });

  it('does not take the field oldSelf for the variable', () => {
    const schema: Schema = {
      type: 'object',
      properties: { oldSelf: whole },
      'x-kubernetes-validations': [{ rule: 'self.oldSelf > 0 && "oldSelf" != ""' }, { rule: 'self == oldSelf' }],
    };
    expect(compileRules(schema).map(({ usesOldSelf }) => usesOldSelf)).toEqual([false, true]);
  });
});

it.each([
  ['plain', 'plain'],
  ['x-y', 'x__dash__y'],
  ['a.b/c', 'a__dot__b__slash__c'],
  ['a__b', 'a__underscores__b'],
  ['namespace', '__namespace__'],
  ['1a', undefined],
  ['ü', undefined],
])('the property %s is reached as %s', (property, name) => expect(escapeName(property)).toBe(name));

it.each([
  ['.o.a', 'o.a'],
  [".o['a']", 'o.a'],
  ['.m.key', 'm[key]'],
  ['.zz', undefined],
  ['o', undefined],
  ['', undefined],
])('the field path %s is %s', (path, field) => expect(fieldPathOf(object, path)).toBe(field));
