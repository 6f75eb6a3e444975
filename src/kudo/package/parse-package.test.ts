import { describe, expect, it } from 'vitest';
import { PackageError } from './package-error.ts';
import { parsePackage } from './parse-package.ts';

const operator = 'name: x\noperatorVersion: "0.1.0"\n';
const parse = (files: Readonly<Record<string, string>>) =>
  parsePackage({
    origin: '/p',
    files: new Map(Object.entries({ 'operator.yaml': operator, 'params.yaml': '', ...files })),
  });
const parameters = (text: string) => parse({ 'params.yaml': `parameters:\n${text}` }).params.parameters;

function failure(files: Readonly<Record<string, string>>): PackageError {
  try {
    parse(files);
  } catch (error) {
    if (error instanceof PackageError) return error;
    throw error;
  }
  throw new Error('it was accepted');
}

describe('forcePodRestart', () => {
  it.each([
    ['true', true],
    ['false', false],
    ['"true"', true],
    ['"false"', false],
    ['yes', true],
    ['off', false],
    ['', undefined],
    ['null', undefined],
  ])('may be %s', (written, expected) => {
    expect(parameters(`- name: A\n  forcePodRestart: ${written}\n`)[0]?.forcePodRestart).toBe(expected);
  });

  it.each(['"yes"', '"True"', '0', '"0"', '[]', '{a: b}', 'maybe', '""'])('must not be %s', (written) => {
    const { message, complaints } = failure({
      'params.yaml': `parameters:\n- name: A\n  forcePodRestart: ${written}\n`,
    });
    expect(message).toBe(
      'failed to unmarshal parameters file: params.yaml:3:20: forcePodRestart of parameter "A" must be true or false, or "true" or "false"',
    );
    expect(complaints[0]?.at).toEqual({ file: 'params.yaml', line: 3, column: 20 });
  });
});

describe('restartPolicy', () => {
  it('is one of two words', () => {
    const policy = (word: string) =>
      parse({ 'operator.yaml': `${operator}restartPolicy: ${word}\n` }).operator.restartPolicy;
    expect(policy('onDependencyChange')).toBe('onDependencyChange');
    expect(policy('always')).toBe('always');
    expect(() => policy('never')).toThrow(
      'operator.yaml:3:16: restartPolicy must be always or onDependencyChange, not "never"',
    );
  });
});

describe('fields', () => {
  it('are text where text is wanted, as Go has it', () => {
    const { operator: file } = parse({
      'operator.yaml': 'name: yes\noperatorVersion: 1.10\nappVersion: 3\nkudoVersion: 0.19.0\nurl: 20200101\n',
    });
    expect(file).toMatchObject({
      name: 'true',
      operatorVersion: '1.1',
      appVersion: '3',
      kudoVersion: '0.19.0',
      url: '20200101',
    });
  });

  it('keep what YAML 1.1 makes of a default', () => {
    const values = (text: string) => parameters(`- name: A\n  default: ${text}\n`)[0]?.default;
    expect(values('[y, "y", 017, 1_000, 0x1f, 1:30, 2001-01-01, ~, .5, 1e3]')).toEqual([
      true,
      'y',
      15,
      1000,
      31,
      '1:30',
      '2001-01-01',
      null,
      0.5,
      1000,
    ]);
    expect(values('{yes: on, 1.50: a, __proto__: b}')).toEqual(
      new Map<string, unknown>([
        ['true', true],
        ['1.5', 'a'],
        ['__proto__', 'b'],
      ]),
    );
    expect(values('')).toBeNull();
  });

  it('know anchors and merges', () => {
    const [, second] = parameters('- &a {name: A, default: "1", type: integer}\n- <<: *a\n  name: B\n');
    expect(second).toMatchObject({ name: 'B', default: '1', type: 'integer' });
  });

  it('that are unknown, misspelt or written twice are warnings with their place', () => {
    const { warnings } = parse({
      'operator.yaml': `${operator}surprise: 1\nPlans: {deploy: {stategy: serial}}\nurl: a\nurl: b\n`,
    });
    expect(warnings).toEqual([
      {
        message: '"url" stands here a second time (first in line 5): the last one counts',
        at: { file: 'operator.yaml', line: 6, column: 1 },
      },
      {
        message: 'the operator has an unknown key "surprise", which is ignored',
        at: { file: 'operator.yaml', line: 3, column: 1 },
      },
      {
        message: 'the operator has a key "Plans", taken for "plans"',
        at: { file: 'operator.yaml', line: 4, column: 1 },
      },
      {
        message: 'plan "deploy" has an unknown key "stategy", which is ignored; is it to be "strategy"?',
        at: { file: 'operator.yaml', line: 4, column: 18 },
      },
    ]);
  });

  it('of a wrong type are errors, all of a file at once', () => {
    const { complaints } = failure({
      'operator.yaml': 'name: [x]\ntasks:\n- name: a\n  spec: {resources: x, done: "yes"}\n- b\nplans: []\n',
    });
    expect(complaints.map(({ message, at }) => `${at?.line}: ${message}`)).toEqual([
      '4: resources of the spec of task "a" must be a list',
      '4: done of the spec of task "a" must be true or false',
      '5: a task must be a map',
      '6: plans of the operator must be a map',
      '1: name of the operator must be text',
    ]);
  });
});

describe('a file', () => {
  it.each([
    ['name: [', 'failed to unmarshal operator file: operator.yaml:1:8: '],
    ['a: *nowhere', 'failed to unmarshal operator file: operator.yaml:1:4: '],
    ['', 'failed to parse yaml into valid operator operator.yaml'],
    ['# nothing\n', 'failed to parse yaml into valid operator operator.yaml'],
    ['[]', 'failed to unmarshal operator file: operator.yaml:1:1: the operator must be a map'],
    ['? [a]\n: b', 'operator.yaml:1:3: a key must be a single word'],
    // Whether the parser's stack ends on the way or not: closed brackets are the same complaint either way.
    [`a: ${'['.repeat(5000)}${']'.repeat(5000)}`, 'nested too deeply'],
    [`a: ${'['.repeat(200)}${']'.repeat(200)}`, 'nested too deeply'],
    [`a: &x [*x]`, 'nested too deeply'],
  ])('that is not what it should be is refused: %#', (text, message) => {
    expect(failure({ 'operator.yaml': text }).message).toContain(message);
  });

  it('with aliases of aliases is refused before it fills the memory', () => {
    const levels = Array.from(
      { length: 12 },
      (_, level) =>
        `a${level}: &a${level} [${Array(9)
          .fill(level === 0 ? 'x' : `*a${level - 1}`)
          .join(', ')}]`,
    );
    expect(failure({ 'operator.yaml': levels.join('\n') }).message).toContain('too many values');
  });

  it('of another version is refused', () => {
    expect(failure({ 'operator.yaml': `apiVersion: kudo.dev/v2\n${operator}` }).message).toBe(
      'expecting supported API version kudo.dev/v1beta1 but got kudo.dev/v2',
    );
    expect(failure({ 'params.yaml': 'apiVersion: kudo.dev/v2' }).message).toBe(
      'failed to unmarshal parameters file: params.yaml: expecting supported API version kudo.dev/v1beta1 but got kudo.dev/v2',
    );
  });

  it('has only one document', () => {
    const { operator: file, warnings } = parse({ 'operator.yaml': `${operator}---\nname: y\n` });
    expect(file.name).toBe('x');
    expect(warnings).toEqual([{ message: expect.stringContaining('only the first document'), at: expect.anything() }]);
  });

  it('may be missing, with a hint when the folder itself was packed', () => {
    const packed = { origin: 'x.tgz', files: new Map([['inside/operator.yaml', operator]]) };
    expect(() => parsePackage(packed)).toThrow(
      'operator package missing operator.yaml in x.tgz; there is one in the folder inside',
    );
    expect(() => parsePackage({ origin: '/p', files: new Map([['operator.yaml', operator]]) })).toThrow(
      'operator package missing params.yaml in /p',
    );
  });
});

describe('templates', () => {
  it('are the YAML files of their folder, by their path in it', () => {
    const found = parse({
      'templates/b.yaml': 'b',
      'templates/sub/a.yaml': 'a',
      'templates/x.txt': 'x',
      'kid/templates/c.yaml': 'c',
    });
    expect([...found.templates]).toEqual([
      ['b.yaml', 'b'],
      ['sub/a.yaml', 'a'],
    ]);
  });
});
