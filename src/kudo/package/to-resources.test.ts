import { describe, expect, it } from 'vitest';
import { operatorVersion as kind } from '../resources/operator-version.ts';
import { parsePackage } from './parse-package.ts';
import { instanceOf, operatorVersionName, toResources } from './to-resources.ts';

const found = (operator: string, params = '') =>
  parsePackage({
    origin: 'x',
    files: new Map([
      ['operator.yaml', `name: x\noperatorVersion: "1.0.0"\n${operator}`],
      ['params.yaml', params],
      ['templates/a.yaml', 'a'],
    ]),
  });
const parameters = (params: string) =>
  toResources(found('', `parameters:\n${params}`), 'ns').operatorVersion.spec.parameters;

describe('toResources', () => {
  it('names versions after package and application', () => {
    expect(operatorVersionName('x', '3.11', '1.0.0')).toBe('x-3.11-1.0.0');
    expect(operatorVersionName('x', undefined, '1.0.0')).toBe('x-1.0.0');
    expect(operatorVersionName('x', '', '1.0.0')).toBe('x-1.0.0');
  });

  it.each(['""', '../../escaped', 'A', 'a..b', '-a'])('refuses a name that no object can have: %s', (name) => {
    expect(() => toResources(found(`name: ${name}\n`), 'ns')).toThrow(/^operator\.yaml: the operator /);
  });

  it('keeps what says whether pods restart', () => {
    expect(
      parameters('- {name: A, forcePodRestart: "false"}\n- {name: B, forcePodRestart: true}\n- {name: C}\n'),
    ).toEqual([
      { name: 'A', required: true, immutable: false, forcePodRestart: false },
      { name: 'B', required: true, immutable: false, forcePodRestart: true },
      { name: 'C', required: true, immutable: false },
    ]);
    const { operatorVersion } = toResources(found('restartPolicy: onDependencyChange\n'), 'ns');
    expect(operatorVersion.spec.restartPolicy).toBe('onDependencyChange');
    expect(kind.validate(operatorVersion)).toEqual([]);
  });

  it.each([
    ['default: 1000000', '1e+06'],
    ['default: 0.5', '0.5'],
    ['default: yes', 'true'],
    ['default: ""', ''],
    ['default: [a, 1]', '[a 1]'],
    ['default: {a: 1000000}, type: map', 'a: 1000000\n'],
    ['default: [], type: array', '[]\n'],
    ['type: array', 'null\n'],
    ['type: integer', undefined],
  ])('gives a parameter with %s the default that KUDO gives it', (text, expected) => {
    expect(parameters(`- {name: A, ${text}}\n`)?.[0]?.default).toBe(expected);
  });

  it('refuses only what could never run', () => {
    const tasks = `tasks:
- {name: a, kind: Apply, spec: {resources: [a.yaml, b.yaml]}}
- {name: b, kind: Toggle, spec: {resources: [a.yaml]}}
- {name: c, kind: Pipe, spec: {pod: a.yaml}}
- {name: d, kind: Teleport}
- {name: e, kind: KudoOperator, spec: {package: kid, parameterFile: p.yaml}}
- {name: f, kind: Dummy}
`;
    expect(() => toResources(found(tasks), 'ns')).toThrow(
      [
        'operator.yaml:4:3: task a missing template: b.yaml',
        'operator.yaml:5:3: toggle task b does not have parameter specified',
        'operator.yaml:6:3: task c does not have pipe files specified',
        'operator.yaml:7:3: unknown task kind Teleport',
        'operator.yaml:8:3: task e missing template: p.yaml',
      ].join('\n'),
    );
  });

  it('treats names that mean something to JavaScript as names', () => {
    const version = toResources(
      found('plans: {__proto__: {strategy: serial}, constructor: {}}\n'),
      'ns',
    ).operatorVersion;
    expect(Object.keys(version.spec.plans ?? {})).toEqual(['__proto__', 'constructor']);
  });

  it('makes an Instance of it', () => {
    const instance = instanceOf(toResources(found('appVersion: "2"\n'), 'ns'), 'mine', { A: 'a' });
    expect(instance).toEqual({
      apiVersion: 'kudo.dev/v1beta1',
      kind: 'Instance',
      metadata: { name: 'mine', namespace: 'ns', labels: { 'kudo.dev/operator': 'x' } },
      spec: { operatorVersion: { name: 'x-2-1.0.0' }, parameters: { A: 'a' } },
    });
  });
});
