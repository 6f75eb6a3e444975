import { describe, expect, it } from 'vitest';
import { kinds } from '../../src/kube/kinds.ts';
import type { OperatorVersionSpec } from '../../src/kudo/resources/operator-version.ts';
import { KudoStage } from './kudo-stage.ts';

const plan = (...steps: (readonly [string, ...string[]])[]): NonNullable<OperatorVersionSpec['plans']>[string] => ({
  strategy: 'serial',
  phases: [
    {
      name: 'main',
      strategy: 'serial',
      steps: steps.map(([name, ...tasks]) => ({ name, tasks: tasks.length ? tasks : [name] })),
    },
  ],
});

const config = (name: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Name }}-${name}\ndata:\n  round: "{{ .Params.ROUND }}"\n`;

/** Makes two ConfigMaps, a Job and something of a kind that nobody knows, and takes them away again. */
const remover: OperatorVersionSpec = {
  parameters: [{ name: 'ROUND', default: '1', trigger: 'again' }],
  templates: {
    'one.yaml': config('one'),
    'two.yaml': `${config('two')}---\n${config('three')}`,
    'job.yaml': `apiVersion: batch/v1
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
`,
    'unknown.yaml': 'apiVersion: example.org/v1\nkind: Nonsense\nmetadata:\n  name: nothing\n',
    'broken.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Params.NOPE }}\n',
  },
  tasks: [
    { name: 'make', kind: 'Apply', spec: { resources: ['one.yaml', 'two.yaml', 'job.yaml'] } },
    { name: 'drop', kind: 'Delete', spec: { resources: ['one.yaml', 'two.yaml', 'unknown.yaml'] } },
    { name: 'drop-job', kind: 'Delete', spec: { resources: ['job.yaml'] } },
    { name: 'drop-broken', kind: 'Delete', spec: { resources: ['broken.yaml'] } },
  ],
  plans: {
    deploy: plan(['make']),
    drop: plan(['drop']),
    again: plan(['drop-job'], ['make']),
    broken: plan(['drop-broken']),
  },
};

async function deployed(): Promise<KudoStage> {
  const { stage } = await KudoStage.running(remover);
  await stage.install('one');
  await stage.settled('one', 1);
  return stage;
}

const configs = (stage: KudoStage): readonly string[] =>
  ['one-one', 'one-two', 'one-three'].filter((name) => stage.find(kinds.configMaps, name));

const step = (stage: KudoStage, name: string) =>
  stage.instance('one').status?.planStatus?.[name]?.phases?.[0]?.steps?.[0];

describe('a Delete task', () => {
  it('takes away every document of its templates, and what is not there or not known is no hindrance', async () => {
    await using stage = await deployed();
    expect(configs(stage)).toHaveLength(3);
    await stage.trigger('one', 'drop');
    await stage.settled('one', 2);
    expect(stage.last('one')).toBe('drop COMPLETE');
    expect(configs(stage)).toEqual([]);
    await stage.trigger('one', 'drop');
    await stage.settled('one', 3);
    expect(stage.last('one')).toBe('drop COMPLETE');
  });

  it('leaves nothing that would be missing: what was deleted by a plan is no drift', async () => {
    await using stage = await deployed();
    await stage.trigger('one', 'drop');
    await stage.settled('one', 2);
    await stage.clock.advance(5_000);
    expect(stage.condition('one', 'Drifted')).toBeUndefined();
    expect(stage.instance('one').status?.objects?.map(({ kind }) => kind)).toEqual(['Job']);
  });

  it('waits for what a finalizer holds, and goes on when it is gone', async () => {
    await using stage = await deployed();
    const name = { namespace: 'default', name: 'one-two' };
    const hold = (finalizers: readonly string[]) =>
      stage.person.resource(kinds.configMaps).patch(name, { type: 'merge', body: { metadata: { finalizers } } });
    await hold(['example.org/hold']);
    await stage.trigger('one', 'drop');
    await stage.until('the others are gone', () => configs(stage).length === 1);
    await stage.clock.advance(30_000);
    expect(configs(stage)).toEqual(['one-two']);
    expect(step(stage, 'drop')).toEqual({ name: 'drop', status: 'IN_PROGRESS' });
    const writes = stage.writes.length;
    await stage.clock.advance(60_000);
    expect(stage.writes.slice(writes)).toEqual([]);
    await hold([]);
    await stage.settled('one', 2);
    expect(stage.last('one')).toBe('drop COMPLETE');
  });

  it('lets a Job be made anew, with its pods', async () => {
    await using stage = await deployed();
    const before = stage.find(kinds.jobs, 'one-job')?.metadata.uid;
    await stage.set('one', { ROUND: '2' });
    await stage.settled('one', 2);
    expect(stage.last('one')).toBe('again COMPLETE');
    const now = stage.find(kinds.jobs, 'one-job');
    expect(now?.metadata.uid).not.toBe(before);
    expect(JSON.stringify(now?.spec)).toContain('echo 2');
    expect(stage.pods().map(({ metadata }) => metadata.ownerReferences?.[0]?.uid)).toEqual([now?.metadata.uid]);
  });

  it('fails for good by a template that cannot be rendered, and deletes nothing', async () => {
    await using stage = await deployed();
    await stage.trigger('one', 'broken');
    await stage.settled('one', 2);
    expect(stage.last('one')).toBe('broken FATAL_ERROR');
    expect(configs(stage)).toHaveLength(3);
  });
});
