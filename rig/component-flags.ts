import type { Pki } from './pki.ts';

/** Where the control plane's servers are found. */
export interface Addresses {
  /** What the API server listens on and what its clients use. */
  readonly host: string;
  readonly api: number;
  readonly etcdClient: number;
  readonly etcdPeer: number;
  readonly kwok: number;
}

export const SERVICE_RANGE = '10.96.0.0/16';

export function etcdFlags(at: Addresses, data: string, fsync: boolean): string[] {
  const client = `http://127.0.0.1:${at.etcdClient}`;
  const peer = `http://127.0.0.1:${at.etcdPeer}`;
  return [
    '--name=rig',
    `--data-dir=${data}`,
    '--log-level=warn',
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=rig=${peer}`,
    ...(fsync ? [] : ['--unsafe-no-fsync']),
  ];
}

/** `onNode`: pods will run and look for the API server behind the Service `kubernetes`. A loopback address cannot be there. */
export function apiServerFlags(at: Addresses, pki: Pki, onNode: boolean): string[] {
  return [
    `--bind-address=${onNode ? '0.0.0.0' : at.host}`,
    `--advertise-address=${at.host}`,
    `--secure-port=${at.api}`,
    ...(onNode ? [] : ['--endpoint-reconciler-type=none']),
    `--etcd-servers=http://127.0.0.1:${at.etcdClient}`,
    '--allow-privileged=true',
    '--authorization-mode=Node,RBAC',
    '--enable-admission-plugins=NodeRestriction',
    `--client-ca-file=${pki.file('ca.crt')}`,
    `--tls-cert-file=${pki.file('apiserver.crt')}`,
    `--tls-private-key-file=${pki.file('apiserver.key')}`,
    `--kubelet-client-certificate=${pki.file('apiserver-kubelet-client.crt')}`,
    `--kubelet-client-key=${pki.file('apiserver-kubelet-client.key')}`,
    `--kubelet-certificate-authority=${pki.file('ca.crt')}`,
    '--kubelet-preferred-address-types=InternalIP,Hostname',
    '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
    `--service-account-signing-key-file=${pki.file('service-accounts.key')}`,
    `--service-account-key-file=${pki.file('service-accounts.pub')}`,
    `--requestheader-client-ca-file=${pki.file('front-proxy-ca.crt')}`,
    '--requestheader-allowed-names=front-proxy-client',
    '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    '--requestheader-group-headers=X-Remote-Group',
    '--requestheader-username-headers=X-Remote-User',
    `--proxy-client-cert-file=${pki.file('front-proxy-client.crt')}`,
    `--proxy-client-key-file=${pki.file('front-proxy-client.key')}`,
    '--enable-aggregator-routing=true',
    `--service-cluster-ip-range=${SERVICE_RANGE}`,
    '--v=1',
  ];
}

/** The client limits are raised because the defaults make a fresh cluster six seconds slower. */
export function controllerManagerFlags(kubeconfig: string, pki: Pki): string[] {
  return [
    ...clientFlags(kubeconfig),
    `--cluster-signing-cert-file=${pki.file('ca.crt')}`,
    `--cluster-signing-key-file=${pki.file('ca.key')}`,
    `--root-ca-file=${pki.file('ca.crt')}`,
    `--service-account-private-key-file=${pki.file('service-accounts.key')}`,
    '--use-service-account-credentials=true',
    '--allocate-node-cidrs=false',
    '--controllers=*,-nodeipam',
  ];
}

export function schedulerFlags(kubeconfig: string): string[] {
  return clientFlags(kubeconfig);
}

export function kwokFlags(at: Addresses, kubeconfig: string, stages: string): string[] {
  return [
    `--config=${stages}`,
    `--kubeconfig=${kubeconfig}`,
    '--manage-all-nodes=false',
    '--manage-nodes-with-annotation-selector=kwok.x-k8s.io/node=fake',
    `--node-ip=${at.host}`,
    `--server-address=127.0.0.1:${at.kwok}`,
    '--node-lease-duration-seconds=40',
  ];
}

function clientFlags(kubeconfig: string): string[] {
  return [
    '--secure-port=0',
    `--kubeconfig=${kubeconfig}`,
    `--authentication-kubeconfig=${kubeconfig}`,
    `--authorization-kubeconfig=${kubeconfig}`,
    '--kube-api-qps=500',
    '--kube-api-burst=1000',
    '--leader-elect=false',
    '--v=1',
  ];
}
