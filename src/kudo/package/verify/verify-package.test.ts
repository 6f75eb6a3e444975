import { describe, expect, it } from 'vitest';
import { newPackage } from '../new-package.ts';
import { parsePackage } from '../parse-package.ts';
import { findingText } from './finding.ts';
import { verificationFailure, verificationOutput, verificationText, verifyPackage } from './verify-package.ts';

const base: Readonly<Record<string, string>> = {
  'operator.yaml': `name: x
operatorVersion: "0.1.0"
kubernetesVersion: "1.25"
tasks:
- {name: main, kind: Apply, spec: {resources: [main.yaml]}}
plans:
  deploy: {strategy: serial, phases: [{name: p, strategy: serial, steps: [{name: s, tasks: [main]}]}]}
`,
  'params.yaml': 'parameters:\n- {name: A, default: a}\n',
  'templates/main.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Name }}"}\ndata: {a: "{{ .Params.A }}"}\n',
};

function verify(files: Readonly<Record<string, string>>, checks: readonly string[] = []) {
  const findings = verifyPackage(
    parsePackage({ origin: '/p', files: new Map(Object.entries({ ...base, ...files })) }),
    checks,
  );
  return { errors: findings.errors.map(findingText), warnings: findings.warnings.map(findingText), findings };
}
const operator = (text: string) => verify({ 'operator.yaml': `${base['operator.yaml']}${text}` });
const tasks = (text: string, used: string) =>
  verify({
    'operator.yaml': (base['operator.yaml'] ?? '')
      .replace('plans:', `${text}\nplans:`)
      .replace('tasks: [main]', `tasks: [main, ${used}]`),
  });
const parameter = (text: string) =>
  verify({ 'params.yaml': `${base['params.yaml']}- {name: B, trigger: deploy, ${text}}\n` }).errors;

describe('a package without faults', () => {
  it('is valid', () => {
    const { findings } = verify({});
    expect(verificationText(findings)).toBe('package is valid\n');
    expect(verificationFailure(findings)).toBeUndefined();
    expect(verificationOutput(findings)).toEqual({ errors: [], warnings: [], valid: true, findings: [] });
  });

  it('is what a new one is, also by the strictest checks of its plans and parameters', () => {
    const found = parsePackage({ origin: 'new', files: newPackage('first-operator') });
    expect(verificationText(verifyPackage(found, ['display', 'desc']))).toBe('package is valid\n');
  });

  it('cannot have a name that objects cannot have', () => {
    for (const name of ['', 'A', '1a', 'a_b', 'a-', 'a'.repeat(43)])
      expect(() => newPackage(name)).toThrow('cannot be the name');
  });
});

describe('rules of KUDO that no recording has', () => {
  it.each([
    [
      'type: integer, default: x',
      'type is "integer" but format of "x" is invalid: strconv.ParseInt: parsing "x": invalid syntax',
    ],
    ['type: number, default: true', 'type is "number" but format of %!s(bool=true) is invalid'],
    ['type: boolean, default: 1', 'type is "boolean" but format of %!s(float64=1) is invalid'],
    ['type: string, default: 1', 'type is "string" but format is invalid: %!s(float64=1)'],
    ['type: map, default: [1]', 'type is "map" but value [%!s(float64=1)] is not a map'],
    ['type: map, default: "[1]"', 'type is "map", but format of [1] is invalid'],
    ['default: c, enum: [a, b]', 'value is "c", but only allowed values are [a b]'],
    ['default: 1, enum: ["1"]', 'value is %!q(float64=1), but only allowed values are [1]'],
  ])('a default: %s', (text, problem) => {
    expect(parameter(text)).toEqual([`parameter "B" has an invalid default value: ${problem}`]);
  });

  it('a list that is none stops the rendering', () => {
    expect(parameter('type: array, default: text')).toEqual([
      'parameter "B" has an invalid default value: type is "array", but format of text is invalid',
      'error unmarshaling JSON: while decoding JSON: json: cannot unmarshal string into Go value of type []interface {}',
    ]);
  });

  it.each([
    [
      'type: integer, enum: [1]',
      'has an invalid enum value: type is "integer" but format of %!s(float64=1) is invalid',
    ],
    ['group: a/b', `has a group with invalid character '/'|has a group "a/b" that is not defined in the group section`],
    [
      'advanced: true',
      'is marked as advanced, but also as required and has no default. An advanced parameter must either be optional or have a default value',
    ],
  ])('a parameter: %s', (text, problems) => {
    expect(parameter(text)).toEqual(problems.split('|').map((problem) => `parameter "B" ${problem}`));
  });

  it('names of parameters', () => {
    expect(
      verify({ 'params.yaml': `${base['params.yaml']}- {name: a, default: ""}\n- {name: "B;,", default: ""}\n` })
        .errors,
    ).toEqual([
      'parameter "a" has a duplicate',
      `parameter "B;," contains invalid character ';'`,
      `parameter "B;," contains invalid character ','`,
    ]);
  });

  it('groups', () => {
    expect(
      verify({ 'params.yaml': 'groups: [{name: g}, {name: g}]\nparameters: [{name: A, default: "", group: g}]\n' })
        .errors,
    ).toEqual(['parameter group "g" is duplicated']);
  });

  it('versions', () => {
    const text = (base['operator.yaml'] ?? '').replace('"1.25"', '""');
    expect(verify({ 'operator.yaml': `${text}appVersion: latest\nkudoVersion: " 1"\n` }).errors).toEqual([
      'unable to parse "appVersion": Invalid Semantic Version',
      '"kubernetesVersion" is required and must be semver',
      'unable to parse "kudoVersion": Invalid Semantic Version',
    ]);
    for (const version of ['v1', '1.0', '1.2.3-rc.1+build.5'])
      expect(operator(`appVersion: "${version}"\n`).errors).toEqual([]);
  });

  it('no deploy plan', () => {
    expect(verify({ 'operator.yaml': (base['operator.yaml'] ?? '').replace('deploy:', 'install:') }).errors).toEqual([
      "an operator is required to have 'deploy' plan",
    ]);
  });

  it.each([
    ['kind: Delete', "delete task 't' has an empty resource list. if that's what you need, use a Dummy task instead"],
    [
      'kind: Toggle, spec: {parameter: A}',
      "toggle task has an empty resource list. if that's what you need, use a Dummy task instead",
    ],
    ['kind: Pipe, spec: {pod: main.yaml}', 'pipe task has an empty pipe files list'],
    [
      'kind: Pipe, spec: {pod: main.yaml, pipe: [{file: /a, envFile: /b, kind: Secret, key: k}]}',
      "pipe file {/a /b Secret k} must have either 'file' or 'envFile' field set but not both",
    ],
    [
      'kind: Pipe, spec: {pod: main.yaml, pipe: [{file: /a, kind: Secret, key: k.k}]}',
      'invalid pipe key (only letters, numbers and _ and - are allowed): {/a  Secret k.k}',
    ],
  ])('a task: %s', (text, problem) => {
    expect(tasks(`- {name: t, ${text}}`, 't').errors).toEqual([`task validation error: ${problem}`]);
  });

  it('a key of a pipe twice in one plan', () => {
    const pipe = 'kind: Pipe, spec: {pod: main.yaml, pipe: [{file: /a, kind: Secret, key: k}]}';
    expect(tasks(`- {name: t, ${pipe}}\n- {name: u, ${pipe}}`, 't, u').errors).toEqual(['duplicated pipe key k']);
  });

  it('namespaces', () => {
    const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: "{{ .Namespace }}"}\n';
    const manifest = (text: string) =>
      verify({ 'operator.yaml': `${base['operator.yaml']}namespaceManifest: ns.yaml\n`, 'templates/ns.yaml': text });
    expect(verify({ 'templates/ns.yaml': namespace }).errors).toEqual([
      `template "ns.yaml" contains 'kind: Namespace' not allowed unless specified as 'NamespaceManifest'`,
    ]);
    expect(manifest(namespace)).toMatchObject({ errors: [], warnings: [] });
    expect(manifest('').errors).toEqual(['NamespaceManifest "ns.yaml" found but does not contain a manifest']);
    expect(manifest(`${namespace}---\n${namespace}`).errors).toEqual([
      'NamespaceManifest "ns.yaml" found but contains 2 manifests which is greater than 1',
    ]);
    expect(manifest(base['templates/main.yaml'] ?? '').errors).toEqual([
      'NamespaceManifest "ns.yaml" found but manifest is not kind: Namespace',
    ]);
    expect(operator('namespaceManifest: ns.yaml\n').errors).toEqual([
      'NamespaceManifest "ns.yaml" not found in /templates folder',
    ]);
  });

  it('descriptions', () => {
    const params = `groups: [{name: g, displayName: "G:", description: g.}]
parameters: [{name: A, default: a, displayName: a, description: "What?", hint: h, group: g, type: string}]`;
    expect(verify({ 'params.yaml': params }, ['all']).warnings).toEqual([
      `parameter "A" has a hint not ending with a '.'`,
      'parameter "A" has a displayName that does not start with a capital letter',
      `parameter group "g" has a displayName ending with ':'`,
      'parameter group "g" has a description that does not start with a capital letter',
    ]);
    expect(verify({ 'params.yaml': params }, ['desc', 'type', 'hasgroup']).warnings).toEqual([]);
    expect(() => verify({}, ['everything'])).toThrow(
      'unknown parameter check: everything, must be one of [display hint desc type hasgroup groups all]',
    );
  });
});

describe('rules of our own', () => {
  it('strategies that nobody knows, and none where it matters', () => {
    const plans = `  a: {strategy: serail, phases: [{name: p, steps: [{name: s}, {name: t}]}]}\n  b: {phases: [{name: p, steps: [{name: s}]}]}\n`;
    expect(operator(plans).warnings).toEqual([
      'operator.yaml:8:6: plan "a" has an unknown strategy "serail": it counts as parallel',
      'operator.yaml:8:34: phase "p" of plan "a" has no strategy: it counts as parallel',
    ]);
  });

  it('names of phases, steps and tasks that stand twice', () => {
    const plans =
      '  a: {strategy: serial, phases: [{name: p, strategy: serial, steps: [{name: s}, {name: s}]}, {name: p}]}\n';
    expect(operator(plans).warnings).toEqual([
      expect.stringContaining('plan "a" has two phases "p"'),
      expect.stringContaining('phase "p" of plan "a" has two steps "s"'),
    ]);
    expect(tasks('- {name: main, kind: Dummy, spec: {done: true}}', 'main').warnings).toEqual([
      'operator.yaml:6:3: there are two tasks "main": plans run the first of them',
    ]);
  });

  it('a Dummy that never ends', () => {
    expect(tasks('- {name: t, kind: Dummy}\n- {name: u, kind: Dummy, spec: {wantErr: true}}', 't, u').warnings).toEqual(
      ['operator.yaml:6:3: Dummy task "t" has no "done: true": a plan that reaches it never completes'],
    );
  });

  it('versions of objects that are no longer served', () => {
    const text = 'apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: "{{ .Params.A }}"}\n';
    const { errors, warnings } = verify({ 'templates/main.yaml': text });
    expect(errors).toEqual([]);
    expect(warnings).toEqual([
      'templates/main.yaml: PodDisruptionBudget a: policy/v1beta1 is no longer served, applied as policy/v1',
    ]);
  });

  describe('forcePodRestart: false', () => {
    const stateful = `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: "{{ .Name }}"}
spec:
  replicas: {{ .Params.NODES }}
  selector: {matchLabels: {app: x}}
  template:
    metadata: {labels: {app: x}}
    spec:
      containers:
      - name: x
        image: {{ .Params.IMAGE }}
        {{- if eq .Params.MODE "fast" }}
        args: [--fast]
        {{- end }}
`;
    const quiet = (names: readonly string[]) => {
      const all = { NODES: '"1"', IMAGE: 'x:1', MODE: 'slow' };
      const lines = Object.entries(all).map(
        ([name, value]) => `- {name: ${name}, default: ${value}, forcePodRestart: ${!names.includes(name)}}\n`,
      );
      return verify({ 'params.yaml': `parameters:\n${lines.join('')}`, 'templates/main.yaml': stateful });
    };

    it('is fine for a parameter that only scales', () => {
      expect(quiet(['NODES'])).toMatchObject({ errors: [], warnings: [] });
    });

    it('is a warning for a parameter that is rendered into the pod template, or only decides about it', () => {
      const { errors, warnings } = quiet(['NODES', 'IMAGE', 'MODE']);
      expect(errors).toEqual([]);
      expect(warnings).toEqual([
        expect.stringMatching(
          /^params\.yaml:3:3: parameter "IMAGE" has forcePodRestart: false and reaches the pod template of StatefulSet .*: a change of it changes spec\.template\.spec\.containers.*image \(templates\/main\.yaml:12\), so Kubernetes restarts its pods$/,
        ),
        expect.stringMatching(/^params\.yaml:4:3: parameter "MODE" .*args.*\(templates\/main\.yaml:13\)/),
      ]);
    });

    it('says nothing of parameters that restart pods anyway', () => {
      expect(quiet([])).toMatchObject({ errors: [], warnings: [] });
    });
  });
});
