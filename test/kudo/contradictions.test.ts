import { describe, expect, it } from 'vitest';
import { kinds } from '../../src/kube/kinds.ts';
import type { OperatorVersionSpec } from '../../src/kudo/resources/operator-version.ts';
import { KudoStage } from './kudo-stage.ts';

const config = `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Name }}-config
data:
  round: "{{ .Params.ROUND }}"
`;

const web = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Name }}-web
spec:
  replicas: 1
  selector:
    matchLabels:
      app: {{ .Name }}
  template:
    metadata:
      labels:
        app: {{ .Name }}
    spec:
      containers:
      - name: main
        image: app:1
`;

const job = `apiVersion: batch/v1
kind: Job
metadata:
  name: {{ .Name }}-job
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
      - name: main
        image: busybox
        command: [sh, -c, 'echo {{ .Params.ROUND }}']
`;

type Plan = NonNullable<OperatorVersionSpec['plans']>[string];

const step = (...tasks: string[]): Plan => ({
  strategy: 'serial',
  phases: [{ name: 'main', strategy: 'serial', steps: [{ name: 'main', tasks }] }],
});

/** Steps that want one object in two ways. */
const torn: OperatorVersionSpec = {
  parameters: [{ name: 'ROUND', default: '1', trigger: 'renew' }],
  templates: { 'config.yaml': config, 'web.yaml': web, 'job.yaml': job },
  tasks: [
    { name: 'make', kind: 'Apply', spec: { resources: ['config.yaml', 'web.yaml', 'job.yaml'] } },
    { name: 'drop', kind: 'Delete', spec: { resources: ['config.yaml', 'web.yaml', 'job.yaml'] } },
  ],
  plans: {
    deploy: step('make'),
    renew: step('drop', 'make'),
    vain: step('make', 'drop'),
  },
};

const uids = (stage: KudoStage): readonly (string | undefined)[] =>
  [
    stage.find(kinds.configMaps, 'one-config'),
    stage.find(kinds.deployments, 'one-web'),
    stage.find(kinds.jobs, 'one-job'),
  ].map((object) => object?.metadata.uid);

const writesTo = (stage: KudoStage, name: string): number =>
  stage.writes.filter((write) => write.includes(`/${name}`)).length;

async function deployed(): Promise<KudoStage> {
  const { stage } = await KudoStage.running(torn);
  await stage.install('one');
  await stage.settled('one', 1);
  expect(stage.last('one')).toBe('deploy COMPLETE');
  return stage;
}

describe('a step that deletes what it then applies', () => {
  it('makes each object anew, once', async () => {
    await using stage = await deployed();
    const before = uids(stage);
    const writes = writesTo(stage, 'one-web');
    await stage.set('one', { ROUND: '2' });
    await stage.settled('one', 2);
    expect(stage.last('one')).toBe('renew COMPLETE');
    const after = uids(stage);
    expect(after).not.toContain(undefined);
    expect(after.filter((uid) => before.includes(uid))).toEqual([]);
    expect(JSON.stringify(stage.find(kinds.jobs, 'one-job')?.spec)).toContain('echo 2');
    expect(writesTo(stage, 'one-web') - writes).toBe(2);
    await stage.trigger('one', 'renew');
    await stage.settled('one', 3);
    expect(uids(stage).filter((uid) => after.includes(uid))).toEqual([]);
  });

  it('fails the other way round, and says what to do', async () => {
    await using stage = await deployed();
    await stage.trigger('one', 'vain');
    await stage.settled('one', 2);
    expect(stage.last('one')).toBe('vain FATAL_ERROR');
    expect(stage.instance('one').status?.history?.[0]?.message).toMatch(
      /one-config is applied and then deleted .*later step/,
    );
    expect(uids(stage)).not.toContain(undefined);
  });
});
