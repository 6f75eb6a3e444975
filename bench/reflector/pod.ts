/** A pod as a busy cluster has them: 6.8 KB as JSON, of which 2.6 KB are managed fields. */
export function pod(index: number, version: number): object {
  const name = `web-frontend-${(index % 977).toString(16)}-${index}`;
  const namespace = `team-${index % 200}`;
  const hash = (index * 2654435761).toString(16).slice(-8);
  const api = `kube-api-access-${hash.slice(-5)}`;
  const at = (second: number): string => new Date(Date.UTC(2026, 0, 1) + (index * 61 + second) * 1000).toISOString();
  return {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: {
      name,
      generateName: 'web-frontend-',
      namespace,
      uid: uid(index),
      resourceVersion: String(version),
      creationTimestamp: at(0),
      labels: {
        'app.kubernetes.io/name': 'web-frontend',
        'app.kubernetes.io/instance': `web-frontend-${index % 50}`,
        'app.kubernetes.io/version': '1.27.3',
        'pod-template-hash': hash,
        tier: 'frontend',
      },
      annotations: {
        'prometheus.io/scrape': 'true',
        'prometheus.io/port': '9090',
        'checksum/config': `${hash}${hash}${hash}${hash}`,
      },
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: 'ReplicaSet',
          name: `web-frontend-${hash}`,
          uid: uid(index + 7_000_000),
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
      managedFields: [controllerFields, kubeletFields],
    },
    spec: {
      volumes: [
        { name: 'config', configMap: { name: 'web-frontend', defaultMode: 420 } },
        { name: 'cache', emptyDir: {} },
        {
          name: api,
          projected: {
            sources: [{ serviceAccountToken: { expirationSeconds: 3607, path: 'token' } }],
            defaultMode: 420,
          },
        },
      ],
      containers: [container('web', 8080, api), container('metrics', 9090, api)],
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      serviceAccountName: 'web-frontend',
      nodeName: `node-${index % 500}`,
      securityContext: { runAsNonRoot: true, runAsUser: 10001, fsGroup: 10001 },
      schedulerName: 'default-scheduler',
      tolerations: [
        { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
        { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
      ],
      priority: 0,
      enableServiceLinks: true,
      preemptionPolicy: 'PreemptLowerPriority',
    },
    status: {
      phase: 'Running',
      conditions: ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map(
        (type) => ({
          type,
          status: 'True',
          lastTransitionTime: at(7),
        }),
      ),
      hostIP: `10.0.${index % 250}.${index % 199}`,
      podIP: `10.64.${index % 250}.${index % 199}`,
      startTime: at(1),
      containerStatuses: ['web', 'metrics'].map((container) => ({
        name: container,
        state: { running: { startedAt: at(5) } },
        lastState: {},
        ready: true,
        restartCount: index % 3,
        image: `registry.example.com/team/${container}:1.27.3`,
        imageID: `registry.example.com/team/${container}@sha256:${hash.repeat(8)}`,
        containerID: `containerd://${hash.repeat(8)}`,
        started: true,
      })),
      qosClass: 'Burstable',
    },
  };
}

function container(name: string, port: number, api: string): object {
  return {
    name,
    image: `registry.example.com/team/${name}:1.27.3`,
    ports: [{ name: 'http', containerPort: port, protocol: 'TCP' }],
    resources: { limits: { memory: '512Mi' }, requests: { cpu: '100m', memory: '256Mi' } },
    volumeMounts: [
      { name: 'config', readOnly: true, mountPath: '/etc/web' },
      { name: api, readOnly: true, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' },
    ],
    readinessProbe: { httpGet: { path: '/ready', port: 'http', scheme: 'HTTP' }, timeoutSeconds: 1, periodSeconds: 10 },
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: 'IfNotPresent',
  };
}

/** As an object the fields of a path: `{"f:spec":{"f:containers":{…}}}`. */
function fields(paths: readonly string[]): object {
  const root: Record<string, object> = {};
  for (const path of paths) {
    let at = root as Record<string, Record<string, object>>;
    for (const part of path.split(' ')) {
      at[part] ??= {};
      at = at[part] as Record<string, Record<string, object>>;
    }
  }
  return root;
}

const perContainer = [
  '.',
  'f:image',
  'f:imagePullPolicy',
  'f:name',
  'f:ports .',
  'f:ports k:{"containerPort":8080,"protocol":"TCP"} .',
  'f:ports k:{"containerPort":8080,"protocol":"TCP"} f:containerPort',
  'f:ports k:{"containerPort":8080,"protocol":"TCP"} f:name',
  'f:ports k:{"containerPort":8080,"protocol":"TCP"} f:protocol',
  'f:readinessProbe .',
  'f:readinessProbe f:httpGet .',
  'f:readinessProbe f:httpGet f:path',
  'f:readinessProbe f:httpGet f:port',
  'f:readinessProbe f:httpGet f:scheme',
  'f:readinessProbe f:periodSeconds',
  'f:readinessProbe f:timeoutSeconds',
  'f:resources .',
  'f:resources f:limits .',
  'f:resources f:limits f:memory',
  'f:resources f:requests .',
  'f:resources f:requests f:cpu',
  'f:resources f:requests f:memory',
  'f:terminationMessagePath',
  'f:terminationMessagePolicy',
];

const containerFields = ['web', 'metrics'].flatMap((name) =>
  perContainer.map((rest) => `f:spec f:containers k:{"name":"${name}"} ${rest}`),
);

const controllerFields = {
  manager: 'kube-controller-manager',
  operation: 'Update',
  apiVersion: 'v1',
  time: '2026-01-01T00:00:00Z',
  fieldsType: 'FieldsV1',
  fieldsV1: fields([
    'f:metadata f:generateName',
    ...['.', 'f:prometheus.io/scrape', 'f:prometheus.io/port', 'f:checksum/config'].map(
      (key) => `f:metadata f:annotations ${key}`,
    ),
    ...[
      '.',
      'f:app.kubernetes.io/name',
      'f:app.kubernetes.io/instance',
      'f:app.kubernetes.io/version',
      'f:pod-template-hash',
      'f:tier',
    ].map((key) => `f:metadata f:labels ${key}`),
    'f:metadata f:ownerReferences k:{"uid":"0c0c0c0c-0000-4000-8000-000000000000"}',
    ...containerFields,
    ...[
      'f:dnsPolicy',
      'f:enableServiceLinks',
      'f:restartPolicy',
      'f:schedulerName',
      'f:securityContext f:fsGroup',
      'f:serviceAccountName',
      'f:terminationGracePeriodSeconds',
    ].map((key) => `f:spec ${key}`),
    ...['config', 'cache'].map((volume) => `f:spec f:volumes k:{"name":"${volume}"} f:name`),
  ]),
};

const kubeletFields = {
  manager: 'kubelet',
  operation: 'Update',
  apiVersion: 'v1',
  time: '2026-01-01T00:00:07Z',
  fieldsType: 'FieldsV1',
  fieldsV1: fields([
    ...['PodReadyToStartContainers', 'ContainersReady', 'Initialized', 'Ready'].flatMap((type) =>
      ['.', 'f:lastProbeTime', 'f:lastTransitionTime', 'f:status', 'f:type'].map(
        (key) => `f:status f:conditions k:{"type":"${type}"} ${key}`,
      ),
    ),
    ...['f:containerStatuses', 'f:hostIP', 'f:phase', 'f:podIP', 'f:startTime'].map((key) => `f:status ${key}`),
  ]),
  subresource: 'status',
};

function uid(index: number): string {
  return `${index.toString(16).padStart(8, '0')}-7a11-4b1d-9c3e-${(index * 7919).toString(16).padStart(12, '0')}`;
}
