import { expect, it } from 'vitest';
import { kinds } from '../../src/kube/kinds.ts';
import type { OperatorVersionSpec } from '../../src/kudo/resources/operator-version.ts';
import { KudoStage } from './kudo-stage.ts';

const set = `apiVersion: apps/v1
kind: ReplicaSet
metadata:
  name: {{ .Name }}-node
spec:
  replicas: 2
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
        env:
        - name: MODE
          value: "{{ .Params.MODE }}"
`;

const withSet: OperatorVersionSpec = {
  parameters: [{ name: 'MODE', default: 'plain' }],
  templates: { 'set.yaml': set },
  tasks: [{ name: 'set', kind: 'Apply', spec: { resources: ['set.yaml'] } }],
  plans: {
    deploy: {
      strategy: 'serial',
      phases: [{ name: 'main', strategy: 'serial', steps: [{ name: 'set', tasks: ['set'] }] }],
    },
  },
};

it('counts the pods of a ReplicaSet that are still of the old template, until they are deleted', async () => {
  const { stage } = await KudoStage.running(withSet);
  await using _ = stage;
  await stage.install('one');
  await stage.settled('one', 1);
  await stage.until('it is ready', () => stage.condition('one', 'Ready') === 'True ResourcesReady');
  expect(stage.condition('one', 'RestartPending')).toBeUndefined();
  await stage.set('one', { MODE: 'fast' });
  await stage.settled('one', 2);
  await stage.until('the old pods are told of', () => stage.condition('one', 'RestartPending') === 'True PodsOutdated');
  for (const { metadata } of stage.pods()) {
    await stage.person.resource(kinds.pods).delete({ namespace: 'default', name: metadata.name ?? '' });
  }
  await stage.until('there are none', () => stage.condition('one', 'RestartPending') === undefined);
});
