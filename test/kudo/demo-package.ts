import type { OperatorVersionSpec } from '../../src/kudo/resources/operator-version.ts';

const config = `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Name }}-config
data:
  app.conf: "level={{ .Params.LEVEL }}"
`;

const nodes = `apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: {{ .Name }}-node
spec:
  serviceName: {{ .Name }}
  replicas: {{ .Params.NODE_COUNT }}
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
      volumes:
      - name: config
        configMap:
          name: {{ .Name }}-config
`;

const service = `apiVersion: v1
kind: Service
metadata:
  name: {{ .Name }}
spec:
  clusterIP: None
  selector:
    app: {{ .Name }}
  ports:
  - port: 80
`;

/** A small stateful service: one quiet parameter, one that is in the pod template, one that is only in the ConfigMap. */
export const demoPackage: OperatorVersionSpec = {
  parameters: [
    { name: 'NODE_COUNT', default: '2', forcePodRestart: false },
    { name: 'MODE', default: 'plain' },
    { name: 'LEVEL', default: 'info' },
  ],
  templates: { 'config.yaml': config, 'nodes.yaml': nodes, 'service.yaml': service },
  tasks: [
    { name: 'config', kind: 'Apply', spec: { resources: ['config.yaml', 'service.yaml'] } },
    { name: 'nodes', kind: 'Apply', spec: { resources: ['nodes.yaml'] } },
    { name: 'remove', kind: 'Delete', spec: { resources: ['nodes.yaml'] } },
  ],
  plans: {
    deploy: {
      strategy: 'serial',
      phases: [
        { name: 'config', strategy: 'serial', steps: [{ name: 'config', tasks: ['config'] }] },
        { name: 'nodes', strategy: 'serial', steps: [{ name: 'nodes', tasks: ['nodes'] }] },
      ],
    },
    cleanup: {
      strategy: 'serial',
      phases: [{ name: 'stop', strategy: 'serial', steps: [{ name: 'remove', tasks: ['remove'] }] }],
    },
  },
};
