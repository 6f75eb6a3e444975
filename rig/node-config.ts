import { stringify } from 'yaml';
import { cgroupOf } from './cgroup.ts';
import { SERVICE_RANGE } from './component-flags.ts';
import type { Pki } from './pki.ts';
import type { Run } from './run.ts';

/** The node's address, on the loopback interface of the cluster's own network namespace. */
export const NODE_ADDRESS = '172.30.0.1';
export const NODE_NAME = 'rig';
export const PAUSE_IMAGE = 'rig.local/pause:1';
const POD_RANGE = '10.244.0.0/16';
const POD_SUBNET = '10.244.0.0/24';
const DNS_ADDRESS = '10.96.0.10';

/** Without `restrict_oom_score_adj` every sandbox fails where the rig may not lower that score, with a misleading error of runc. */
export function containerdConfig(run: Run): string {
  return `version = 2
root = "${run.path('data', 'containerd')}"
state = "${run.path('data', 'containerd-state')}"
[grpc]
  address = "${containerdSocket(run)}"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${PAUSE_IMAGE}"
  restrict_oom_score_adj = true
  stream_server_address = "127.0.0.1"
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "overlayfs"
    default_runtime_name = "runc"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"
      [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
        SystemdCgroup = false
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "${run.path('conf', 'cni')}"
`;
}

export function containerdSocket(run: Run): string {
  return run.path('containerd.sock');
}

export function cniConfig(): string {
  return JSON.stringify({
    cniVersion: '1.0.0',
    name: 'rig',
    plugins: [
      {
        type: 'bridge',
        bridge: 'cni0',
        isGateway: true,
        ipMasq: false,
        hairpinMode: true,
        ipam: { type: 'host-local', ranges: [[{ subnet: POD_SUBNET }]], routes: [{ dst: '0.0.0.0/0' }] },
      },
      { type: 'portmap', capabilities: { portMappings: true } },
    ],
  });
}

/** Images are never collected: there is no registry to get them back from. */
export function kubeletConfig(run: Run, pki: Pki): string {
  return stringify({
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    address: NODE_ADDRESS,
    healthzBindAddress: '127.0.0.1',
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: true },
      x509: { clientCAFile: pki.file('ca.crt') },
    },
    authorization: { mode: 'Webhook' },
    tlsCertFile: pki.file('kubelet-server.crt'),
    tlsPrivateKeyFile: pki.file('kubelet-server.key'),
    containerRuntimeEndpoint: `unix://${containerdSocket(run)}`,
    cgroupDriver: 'cgroupfs',
    cgroupRoot: cgroupOf(run.name),
    failCgroupV1: false,
    failSwapOn: false,
    clusterDNS: [DNS_ADDRESS],
    clusterDomain: 'cluster.local',
    resolvConf: run.path('conf', 'resolv.conf'),
    podLogsDir: run.path('logs', 'pods'),
    evictionHard: {
      'memory.available': '200Mi',
      'nodefs.available': '1%',
      'imagefs.available': '1%',
      'nodefs.inodesFree': '1%',
    },
    imageGCHighThresholdPercent: 100,
    imageGCLowThresholdPercent: 99,
    serializeImagePulls: false,
    registerNode: true,
    syncFrequency: '10s',
    fileCheckFrequency: '20s',
    nodeStatusUpdateFrequency: '10s',
  });
}

export function kubeProxyConfig(run: Run): string {
  return stringify({
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    bindAddress: '127.0.0.1',
    healthzBindAddress: '127.0.0.1:10256',
    metricsBindAddress: '127.0.0.1:10249',
    clientConnection: { kubeconfig: run.path('pki', 'proxy.conf') },
    clusterCIDR: POD_RANGE,
    hostnameOverride: NODE_NAME,
    mode: 'nftables',
    conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
  });
}

export function corefile(kubeconfig: string): string {
  return `.:53 {
  bind ${NODE_ADDRESS}
  errors
  health 127.0.0.1:18081
  ready 127.0.0.1:18181
  kubernetes cluster.local in-addr.arpa ip6.arpa {
    kubeconfig ${kubeconfig}
    pods insecure
    fallthrough in-addr.arpa ip6.arpa
    ttl 5
  }
  cache 5
}
`;
}

/** CoreDNS runs beside the kubelet, not in a pod; this is the Service through which pods find it. Path → object to post there. */
export function dnsObjects(): ReadonlyMap<string, unknown> {
  const ports = [
    { name: 'dns', port: 53, protocol: 'UDP' },
    { name: 'dns-tcp', port: 53, protocol: 'TCP' },
  ];
  return new Map<string, unknown>([
    [
      '/api/v1/namespaces/kube-system/services',
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'kube-dns', labels: { 'k8s-app': 'kube-dns' } },
        spec: { clusterIP: DNS_ADDRESS, ports: ports.map((port) => ({ ...port, targetPort: 53 })) },
      },
    ],
    [
      '/apis/discovery.k8s.io/v1/namespaces/kube-system/endpointslices',
      {
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        metadata: {
          name: 'kube-dns-rig',
          labels: { 'kubernetes.io/service-name': 'kube-dns', 'endpointslice.kubernetes.io/managed-by': 'rig' },
        },
        addressType: 'IPv4',
        endpoints: [{ addresses: [NODE_ADDRESS], conditions: { ready: true } }],
        ports,
      },
    ],
  ]);
}

/** What a namespace without any other network needs so that the node and the Services have addresses. */
export const NETWORK_SET_UP: readonly (readonly string[])[] = [
  ['ip', 'link', 'set', 'lo', 'up'],
  ['ip', 'address', 'add', `${NODE_ADDRESS}/32`, 'dev', 'lo'],
  ['ip', 'route', 'add', SERVICE_RANGE, 'dev', 'lo', 'src', NODE_ADDRESS],
];
