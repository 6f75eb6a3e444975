import { describe, expect, it } from 'vitest';
import { entryOf, flinkVersion } from './entry.ts';

const script = '/docker-entrypoint.sh';

describe('entryOf', () => {
  it.each([
    [[script, 'bash', '-c', 'kubernetes-jobmanager.sh kubernetes-application '], 'jobmanager', 'application', 'native'],
    [['bash', '-c', 'kubernetes-jobmanager.sh kubernetes-session -D a.b=c'], 'jobmanager', 'session', 'native'],
    [[script, 'standalone-job', '--job-classname', 'com.example.Main'], 'jobmanager', 'application', 'standalone'],
    [[script, 'jobmanager'], 'jobmanager', 'session', 'standalone'],
  ])('%j is a %s', (argv, role, mode, resources) => {
    expect(entryOf(argv)).toMatchObject({ role, mode, resources });
  });

  it.each([
    [[script, 'taskmanager'], 'standalone'],
    [[script, 'bash', '-c', "kubernetes-taskmanager.sh -Dtaskmanager.resource-id='a-1' "], 'native'],
  ])('%j is a TaskManager, %s', (argv, resources) => {
    expect(entryOf(argv)).toMatchObject({ role: 'taskmanager', resources });
  });

  it.each([[[]], [['nginx']], [['bash', '-c', 'sleep 10']], [[script, 'history-server']], [['jobmanagers']]])(
    '%j is none of Flink',
    (argv) => {
      expect(entryOf(argv)).toBeUndefined();
    },
  );

  it('tells Flink’s own options from the arguments of the job', () => {
    const argv = [
      script,
      'standalone-job',
      '--host',
      '10.0.0.1',
      '--allowNonRestoredState',
      '--fromSavepoint',
      's3://a/b',
    ];
    expect(entryOf([...argv, '-D', 'x.y=z=1', '--rate', '5', '--fromSavepoint', 'mine'])).toMatchObject({
      properties: {
        'jobmanager.rpc.address': '10.0.0.1',
        'execution.savepoint.ignore-unclaimed-state': 'true',
        'execution.savepoint.path': 's3://a/b',
        'x.y': 'z=1',
      },
      programArguments: ['--rate', '5', '--fromSavepoint', 'mine'],
    });
  });

  it('takes quotes off', () => {
    const argv = ['bash', '-c', `kubernetes-taskmanager.sh -Da='b c' -Dd="e \\"f\\""`];
    expect(entryOf(argv)).toMatchObject({ properties: { a: 'b c', d: 'e "f"' } });
  });
});

describe('flinkVersion', () => {
  it.each([
    ['v1_20', 'registry.example.com/orders:4.2', '1.20.0'],
    ['v1_20', 'flink:1.20.5', '1.20.5'],
    [undefined, 'flink:2.3.0-java17@sha256:abc', '2.3.0'],
    [undefined, 'localhost:5000/flink', '2.3.0'],
    ['v2_1', 'flink:1.20', '2.1.0'],
  ])('of %s and %s is %s', (configured, image, version) => {
    expect(flinkVersion(configured, image)).toBe(version);
  });
});
