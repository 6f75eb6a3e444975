import { describe, expect, it } from 'vitest';
import { readObjects } from './read-objects.ts';

const objects = (text: string) => {
  const read = readObjects('a.yaml', text);
  if ('complaint' in read) throw new Error(read.complaint.message);
  return read.objects;
};

const complaint = (text: string) => {
  const read = readObjects('a.yaml', text);
  return 'complaint' in read ? read.complaint : undefined;
};

const head = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\n';

describe('the objects of a rendered template', () => {
  it('come in the order of their documents', () => {
    const text = `${head}---\n# nothing\n---\n${head.replace('name: c', 'name: d')}`;
    expect(objects(text).map(({ metadata }) => metadata.name)).toEqual(['c', 'd']);
    expect(objects('')).toEqual([]);
  });

  it('are read as YAML 1.1', () => {
    expect(objects(`${head}data:\n  a: yes\n  b: 0777\n  c: "yes"\n  d: 2001-01-01\n`)[0]?.data).toEqual({
      a: true,
      b: 511,
      c: 'yes',
      d: '2001-01-01',
    });
  });

  it('have the last of two equal keys, and say so', () => {
    expect(readObjects('a.yaml', `${head}data:\n  a: "1"\n  a: "2"\n`)).toMatchObject({
      objects: [{ data: { a: '2' } }],
      warnings: ['a.yaml: ConfigMap c: the key "a" stands twice in one map; the last one counts'],
    });
  });

  it('lack fields that no object of their kind has, and say so', () => {
    expect(readObjects('a.yaml', `${head}nofield: 1\ndata: {a: b}\n`)).toEqual({
      objects: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: { a: 'b' } }],
      warnings: ['a.yaml: ConfigMap c: there is no field "nofield", left out'],
    });
  });

  it('have no fields without a value, and empty texts in maps of texts', () => {
    const [object] = objects(`${head}  labels: {x: }\n  annotations:\ndata:\n  tier: \nimmutable: ~\n`);
    expect(object).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'c', labels: { x: '' } },
      data: { tier: '' },
    });
    const [custom] = objects('apiVersion: example.org/v1\nkind: X\nmetadata: {name: x}\nspec: {limit: null}\n');
    expect(custom?.spec).toEqual({ limit: null });
  });

  it('are never of a hostile prototype', () => {
    const [object] = objects(`${head}data:\n  __proto__: {polluted: yes}\n`);
    expect(Object.getPrototypeOf(object?.data)).toBe(Object.prototype);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('complain in the words of KUDO when there is no kind', () => {
    expect(complaint('a: b\n')).toEqual({
      reason: 'TaskRenderingError',
      template: 'a.yaml',
      message:
        'fatal error: parsing YAML from a.yaml: decoding chunk "a: b\\n" failed: error unmarshaling JSON: while decoding JSON: ' +
        `Object 'Kind' is missing in '{"a":"b"}'`,
    });
  });

  it.each([
    ['kind: X\nmetadata: {name: a}', "Object 'apiVersion' is missing in"],
    ['apiVersion: v1\nkind: X\nmetadata: {}', "Object 'metadata.name' is missing in"],
    ['apiVersion: v1\nkind: X\nmetadata: {name: 1}', "Object 'metadata.name' is missing in"],
    ['apiVersion: v1\nkind: List\nitems: []', 'it is a List; write its items as documents of their own'],
    ['apiVersion: v1\nkind: X\nmetadata: {name: a, labels: [b]}', 'the labels of X a are not a map'],
    ['- a', "Object 'Kind' is missing in '[\"a\"]'"],
    ['just text', `Object 'Kind' is missing in '"just text"'`],
  ])('complain about %j', (text, message) => {
    expect(complaint(text)?.message).toContain(message);
  });

  it('say in which line of the rendered text it is no YAML', () => {
    const found = complaint(`${head}---\n${head} data: [unclosed\n`);
    expect(found?.reason).toBe('TaskRenderingError');
    expect(found?.message).toMatch(
      /^fatal error: parsing YAML from a\.yaml: decoding chunk ".*" failed: error converting YAML to JSON: yaml: line \d+: /,
    );
    expect(found?.line).toBeGreaterThan(8);
  });

  it('do not tell what a Secret holds', () => {
    for (const text of [
      'apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\nstringData:\n  token: hunter2\n broken: [',
      'apiVersion: v1\nkind: "Secret"\nstringData: {token: hunter2}',
      '{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a"}, "stringData": {"password": "hunter"2"}}',
      'metadata: {name: a}\ndata: {password: hunter2}\n',
      'metadata: {name: a}\n? data\n: {password: hunter2}\n',
      'metadata: {name: a}\n"string\\x44ata": {password: hunter2}\n',
      'apiVersion: v1\nkind: SecretList\nitems: [{stringData: {p: hunter2}}]\n',
      'apiVersion: v1\nkind: Secret\nstringData: *hunter2\n',
    ]) {
      expect(complaint(text)?.message).toMatch(/^fatal error: parsing YAML from a\.yaml: decoding chunk \(/);
      expect(complaint(text)?.message).not.toContain('hunter');
    }
    expect(complaint('kind: Secret\ndata: [')?.message).toBe(
      'fatal error: parsing YAML from a.yaml: decoding chunk (Secret may hold secrets, and is not shown) failed: error converting YAML to JSON: yaml: line 2',
    );
  });

  it.each([
    [
      'stringData: {pin: 12345}',
      'key "pin": cannot unmarshal number into Go struct field Secret.stringData of type string',
    ],
    [
      'data: {a: YQ==, pin: [12345]}',
      'key "pin": cannot unmarshal array into Go struct field Secret.data of type string',
    ],
    ['stringData: 12345', 'cannot unmarshal number into Go struct field Secret.stringData of type map[string]string'],
  ])('refuse a Secret with %s as KUDO did: the server would repeat the value in its answer', (content, message) => {
    const found = complaint(`apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n${content}\n`);
    expect(found?.message).toContain(message);
    expect(found?.message).not.toContain('12345');
  });

  it('say what is wrong with a ConfigMap, which holds no secrets', () => {
    expect(complaint(`${head}data: [`)?.message).toContain('decoding chunk "apiVersion: v1\\nkind: ConfigMap');
  });

  it.each([
    ['blanks', `a: b: c\n-${' '.repeat(100_000)}x\n`],
    ['blanks before a key', `a: b: c\n${' '.repeat(100_000)}x\n`],
    ['blank lines', `a: b: c\n${'\n'.repeat(100_000)}x\n`],
    ['lines in a quote that never ends', `a: "b\n${'x\n'.repeat(200_000)}`],
  ])('complain soon about many %s', (_, text) => {
    const begun = performance.now();
    expect(complaint(text)).toBeDefined();
    expect(performance.now() - begun).toBeLessThan(4000);
  });

  it('refuse bombs, and what no server would take', () => {
    const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]'];
    for (const [from, to] of ['ab', 'bc', 'cd', 'de', 'ef', 'fg', 'gh', 'hi']) {
      bomb.push(
        `${to}: &${to} [*${from}, *${from}, *${from}, *${from}, *${from}, *${from}, *${from}, *${from}, *${from}]`,
      );
    }
    expect(complaint(bomb.join('\n'))).toBeDefined();
    expect(complaint(`a: ${'['.repeat(5000)}`)).toBeDefined();
    expect(complaint(`a: "${'x'.repeat(4 << 20)}"`)?.message.length).toBeLessThan(2000);
  });
});
