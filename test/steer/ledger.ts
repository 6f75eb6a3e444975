import type { KubeObject } from '../../src/kube/object.ts';
import { instance } from '../../src/kudo/resources/instance.ts';
import { operatorVersion } from '../../src/kudo/resources/operator-version.ts';

const nodes = `apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: {{ .Name }}
spec:
  replicas: {{ .Params.NODES }}
  selector: { matchLabels: { app: {{ .Name }} } }
  template:
    metadata: { labels: { app: {{ .Name }} } }
    spec: { containers: [ { name: main, image: "app:{{ .Params.TAG }}" } ] }
`;

const plan = {
  strategy: 'serial',
  phases: [{ name: 'main', strategy: 'serial', steps: [{ name: 'nodes', tasks: ['nodes'] }] }],
};

/** An OperatorVersion with a number that changes quietly, and a tag that restarts pods. */
export const ledgerVersion = {
  apiVersion: operatorVersion.apiVersion,
  kind: 'OperatorVersion',
  metadata: { name: 'ledger-1.0.0', namespace: 'default' },
  spec: {
    operator: { kind: 'Operator', name: 'ledger' },
    version: '1.0.0',
    templates: { 'nodes.yaml': nodes },
    tasks: [{ name: 'nodes', kind: 'Apply', spec: { resources: ['nodes.yaml'] } }],
    parameters: [
      { name: 'NODES', default: '3' },
      { name: 'TAG', default: '1' },
    ],
    plans: { deploy: plan },
  },
} as KubeObject;

export function ledger(
  name: string,
  parameters: Readonly<Record<string, string>> = {},
  namespace = 'default',
): KubeObject {
  return {
    apiVersion: instance.apiVersion,
    kind: 'Instance',
    metadata: { name, namespace },
    spec: { operatorVersion: { name: 'ledger-1.0.0' }, parameters },
  } as KubeObject;
}

/** What plan deploy has made. */
export const ledgerNodes = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'ledger', namespace: 'default', labels: { 'kudo.dev/instance': 'ledger', heritage: 'kudo' } },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'ledger' } },
    template: { metadata: { labels: { app: 'ledger' } }, spec: { containers: [{ name: 'main', image: 'app:1' }] } },
  },
} as KubeObject;

const past = { plan: 'deploy', cause: 'install', forced: true, restartUID: 'r', startedAt: '2029-12-31T23:59:00Z' };

/** The status of an Instance whose plan has ended well. */
export const complete = {
  accepted: { operatorVersion: { name: 'ledger-1.0.0' }, parameters: {} },
  history: [{ ...past, uid: 'e1', outcome: 'COMPLETE', endedAt: '2029-12-31T23:59:30Z' }],
  planStatus: { deploy: { name: 'deploy', status: 'COMPLETE', uid: 'e1', phases: [] } },
  conditions: [
    { type: 'Ready', status: 'True', reason: 'Ready', message: '', lastTransitionTime: '2029-12-31T23:59:30Z' },
  ],
};

/** Whose plan runs. */
export const running = {
  ...complete,
  execution: { ...past, uid: 'e2', shown: true },
  planStatus: { deploy: { name: 'deploy', status: 'IN_PROGRESS', uid: 'e2', phases: [] } },
};

/** Whose plan has failed for good. */
export const failed = {
  ...complete,
  history: [
    { ...past, uid: 'e1', outcome: 'FATAL_ERROR', endedAt: '2029-12-31T23:59:30Z', message: 'no\u001b[2J disk' },
  ],
  planStatus: { deploy: { name: 'deploy', status: 'FATAL_ERROR', uid: 'e1', phases: [] } },
  conditions: [
    {
      type: 'Ready',
      status: 'False',
      reason: 'Failed',
      message: 'no disk',
      lastTransitionTime: '2029-12-31T23:59:30Z',
    },
  ],
};
