import { describe, expect, it } from 'vitest';
import { kinds } from '../../src/kube/kinds.ts';
import type { OperatorVersionSpec } from '../../src/kudo/resources/operator-version.ts';
import { KudoStage } from './kudo-stage.ts';

const web = (name: string, image: string): string => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Name }}-${name}
spec:
  replicas: 1
  selector:
    matchLabels:
      app: ${name}
  template:
    metadata:
      labels:
        app: ${name}
    spec:
      containers:
      - name: main
        image: ${image}
`;

type Step = { readonly name: string; readonly tasks: string[] };

/** A package whose plan `deploy` has these steps side by side. */
const parallel = (...steps: Step[]): OperatorVersionSpec => ({
  templates: { 'web.yaml': web('web', 'app:1'), 'other.yaml': web('web', 'app:2'), 'slow.yaml': web('slow', 'app:1') },
  tasks: [
    { name: 'web', kind: 'Apply', spec: { resources: ['web.yaml'] } },
    { name: 'other', kind: 'Apply', spec: { resources: ['other.yaml'] } },
    { name: 'slow', kind: 'Apply', spec: { resources: ['slow.yaml'] } },
  ],
  plans: {
    deploy: { strategy: 'serial', phases: [{ name: 'main', strategy: 'parallel', steps }] },
  },
});

async function installed(spec: OperatorVersionSpec): Promise<KudoStage> {
  const { stage } = await KudoStage.running(spec);
  await stage.install('one');
  await stage.settled('one', 1);
  expect(stage.last('one')).toBe('deploy COMPLETE');
  return stage;
}

const writesTo = (stage: KudoStage, name: string): number =>
  stage.writes.filter((write) => write.includes(`/${name}`)).length;

const image = (stage: KudoStage): string =>
  /app:\d/.exec(JSON.stringify(stage.find(kinds.deployments, 'one-web')?.spec))?.[0] ?? '';

describe('steps side by side that apply one object', () => {
  it('do not fight over it while it rolls out, and leave it as the last of them wants it', async () => {
    await using stage = await installed(parallel({ name: 'a', tasks: ['web'] }, { name: 'b', tasks: ['other'] }));
    expect(image(stage)).toBe('app:2');
    expect(writesTo(stage, 'one-web')).toBeLessThanOrEqual(2);
  });

  it('write it no more than once each if they want the same', async () => {
    await using stage = await installed(parallel({ name: 'a', tasks: ['web'] }, { name: 'b', tasks: ['web'] }));
    expect(writesTo(stage, 'one-web')).toBeLessThanOrEqual(2);
    await stage.trigger('one', 'deploy');
    await stage.settled('one', 2);
    expect(writesTo(stage, 'one-web')).toBeLessThanOrEqual(4);
  });

  it('do not go back to what an earlier one wants that takes longer', async () => {
    await using stage = await installed(
      parallel({ name: 'a', tasks: ['web', 'slow'] }, { name: 'b', tasks: ['other'] }),
    );
    expect(image(stage)).toBe('app:2');
  });
});
