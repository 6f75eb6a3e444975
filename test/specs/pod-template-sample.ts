/** A pod template in which every field that our schema names is written, and with which Flink's pods still run. */
export function podTemplateSample(mark: string): object {
  const sleeper = {
    image: 'busybox:1',
    imagePullPolicy: 'IfNotPresent',
    command: ['sleep'],
    args: ['infinity'],
    workingDir: '/tmp',
    env: [{ name: 'MARK', value: mark }],
    envFrom: [{ configMapRef: { name: 'kube-root-ca.crt', optional: true } }],
    ports: [{ name: 'extra', containerPort: 9_999, protocol: 'TCP' }],
    resources: { limits: { memory: '64Mi' }, requests: { memory: '32Mi' } },
    volumeMounts: [{ name: 'scratch', mountPath: '/scratch', readOnly: true }],
    securityContext: { allowPrivilegeEscalation: false },
  };
  const probe = { tcpSocket: { port: 9_999 }, periodSeconds: 10 };
  const probed = { livenessProbe: probe, readinessProbe: probe, startupProbe: probe };
  const lifecycle = { preStop: { exec: { command: ['true'] } } };
  return {
    metadata: { name: 'template', labels: { team: mark }, annotations: { 'example.org/mark': mark } },
    spec: {
      containers: [{ name: 'flink-main-container' }, { name: 'beside', ...sleeper, ...probed, lifecycle }],
      initContainers: [{ name: 'before', ...sleeper, restartPolicy: 'Always', ...probed, lifecycle }],
      volumes: [{ name: 'scratch', emptyDir: {} }],
      nodeSelector: { 'kubernetes.io/os': 'linux' },
      affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } },
      tolerations: [
        { key: 'spot', operator: 'Equal', value: 'yes', effect: 'NoSchedule' },
        { key: 'leaving', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 60 },
      ],
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'ScheduleAnyway' },
      ],
      securityContext: { runAsNonRoot: true },
      serviceAccountName: 'flink',
      automountServiceAccountToken: true,
      imagePullSecrets: [{ name: 'registry' }],
      priorityClassName: 'important',
      schedulerName: 'default-scheduler',
      runtimeClassName: 'usual',
      hostname: 'somewhere',
      hostNetwork: false,
      hostAliases: [{ ip: '127.0.0.1', hostnames: ['alias.example'] }],
      dnsPolicy: 'ClusterFirst',
      dnsConfig: { options: [{ name: 'ndots', value: '2' }] },
      enableServiceLinks: false,
      shareProcessNamespace: false,
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 20,
    },
  };
}
