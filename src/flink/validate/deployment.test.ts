import { describe, expect, it } from 'vitest';
import { validateDeployment } from './deployment.ts';
import { deployment, edited, operator, session } from './example.fixture.ts';

const conf = (key: string): string => `spec.flinkConfiguration[${key}]`;
const operatorKey = (key: string): string => conf(`kubernetes.operator.${key}`);

describe('what is in force', () => {
  it('includes the defaults of the operator for namespace and version', () => {
    const settings = { 'kubernetes.operator.default-configuration.namespace.shop.state.checkpoints.dir': 's3://b' };
    const lastState = edited(deployment, { 'spec.job.upgradeMode': 'last-state' });
    expect(validateDeployment(lastState, { operator: { ...operator, settings } })).toEqual([]);
    expect(validateDeployment(lastState, { operator })).toHaveLength(1);
  });

  it('does not let the user answer for values that the operator brought', () => {
    const settings = { 'taskmanager.numberOfTaskSlots': 'many' };
    expect(validateDeployment(deployment, { operator: { ...operator, settings } })).toEqual([]);
  });
});

describe('a python job', () => {
  it.each([
    { 'spec.job.entryClass': 'org.apache.flink.client.python.PythonDriver' },
    { 'spec.job.args': ['-py', '/opt/job.py'] },
    { [conf('pipeline.jars')]: 'local:///opt/a.jar' },
  ])('and a jar in the configuration need no jarURI: %j', (edits) => {
    expect(validateDeployment(edited(deployment, { 'spec.job.jarURI': undefined, ...edits }), { operator })).toEqual(
      [],
    );
  });
});

describe('several jars in the configuration', () => {
  const jars = { [conf('pipeline.jars')]: 'local:///opt/a.jar;local:///opt/b.jar' };

  it('are refused in native mode, where Flink ends at once with them', () => {
    expect(validateDeployment(edited(deployment, { 'spec.job.jarURI': undefined, ...jars }), { operator })).toEqual([
      {
        rule: 'jar-in-native-mode',
        field: conf('pipeline.jars'),
        message: expect.stringContaining('takes its job from exactly one jar. Write that one in spec.job.jarURI'),
      },
    ]);
  });

  it('do not matter when the spec names the jar', () => {
    expect(validateDeployment(edited(deployment, jars), { operator })).toEqual([]);
  });
});

describe('a session cluster', () => {
  it('needs nothing that a job needs', () => {
    const periodic = { [operatorKey('periodic.savepoint.interval')]: '1 h' };
    expect(validateDeployment(edited(session, periodic), { operator })).toEqual([]);
  });
});

describe('a name', () => {
  it.each([
    ['a', true],
    ['a'.repeat(45), true],
    ['a'.repeat(46), false],
    ['a-', false],
    ['a.b', false],
  ])('%s is accepted: %s', (name, accepted) => {
    const problems = validateDeployment(edited(deployment, { 'metadata.name': name }), { operator });
    expect(problems.length === 0).toBe(accepted);
  });

  it('that the API server is to make has room for what it appends', () => {
    const generated = (prefix: string) =>
      validateDeployment(edited(deployment, { metadata: { generateName: prefix } }), { operator });
    expect(generated(`${'a'.repeat(39)}-`)).toEqual([]);
    expect(generated(`${'a'.repeat(40)}-`)).toHaveLength(1);
  });
});

describe('all problems', () => {
  it('are reported, first the one that the upstream would report', () => {
    const bad = edited(deployment, {
      'metadata.name': 'Bad',
      'spec.serviceAccount': '',
      'spec.job.parallelism': 0,
      'spec.imagePullPolicy': 'x',
      'spec.flinkVersion': undefined,
    });
    expect(validateDeployment(bad, { operator }).map(({ rule }) => rule)).toEqual([
      'deployment-name',
      'flink-version',
      'job-parallelism',
      'service-account',
      'image-pull-policy',
    ]);
  });

  it('never show secrets', () => {
    const bad = edited(deployment, { [operatorKey('user.artifacts.http.header')]: 'Authorization=hush' });
    const [problem] = validateDeployment(bad, { operator });
    expect(problem?.message).toContain('(secret)');
    expect(problem?.message).not.toContain('hush');
  });

  it('of a canary do not matter', () => {
    const canary = edited(deployment, { 'metadata.labels[flink.apache.org/canary]': 'true', spec: {} });
    expect(validateDeployment(canary, { operator })).toEqual([]);
    const retired = edited(canary, { 'metadata.labels[flink.apache.org/canary]': 'false' });
    expect(validateDeployment(retired, { operator })).not.toEqual([]);
  });
});

describe('the place of the initial state', () => {
  const problemsAt = (path: string) =>
    validateDeployment(edited(deployment, { 'spec.job.initialSavepointPath': path }), { operator });

  it('has no control characters in it: a redeploy from there would leave the state behind for nothing', () => {
    const [problem, ...others] = problemsAt('s3://b/savepoint-1\u001b[2J');
    expect(problem).toMatchObject({ rule: 'initial-savepoint-path', field: 'spec.job.initialSavepointPath' });
    expect(problem?.message).not.toMatch(/\p{Cc}/u);
    expect(others).toEqual([]);
  });

  it('may have spaces, also around it', () => {
    expect(problemsAt(' s3://b/my savepoints/1\n')).toEqual([]);
  });
});
