import type { Node } from '../kinds/objects/cluster.ts';
import type { Condition } from '../kinds/objects/condition.ts';
import { timestamp } from '../timestamp.ts';

/** A simulated machine. */
export interface NodeSpec {
  readonly name: string;
  readonly index: number;
  readonly cpu: string;
  readonly memory: string;
  readonly pods: number;
  readonly labels: Readonly<Record<string, string>>;
}

export const addressOf = (index: number): string => `192.168.64.${index + 2}`;

/** The Node as its kubelet would register it. It has no heartbeat: nothing is written while nothing happens. */
export function nodeObject({ name, index, cpu, memory, pods, labels }: NodeSpec, now: number): Node {
  const size = { cpu, memory, 'ephemeral-storage': '100Gi', pods: String(pods) };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
        'beta.kubernetes.io/os': 'linux',
        'beta.kubernetes.io/arch': 'amd64',
        'topology.kubernetes.io/zone': `zone-${'abc'[index % 3]}`,
        ...labels,
      },
    },
    spec: { podCIDR: `10.244.${index}.0/24`, podCIDRs: [`10.244.${index}.0/24`], providerID: `embedded://${name}` },
    status: {
      capacity: size,
      allocatable: size,
      conditions: conditions(now),
      addresses: [
        { type: 'InternalIP', address: addressOf(index) },
        { type: 'Hostname', address: name },
      ],
      nodeInfo: {
        architecture: 'amd64',
        operatingSystem: 'linux',
        osImage: 'Cutover embedded node',
        kernelVersion: '6.18.0-embedded',
        containerRuntimeVersion: 'containerd://2.1.0-embedded',
        kubeletVersion: 'v1.37.1',
        kubeProxyVersion: '',
        bootID: '',
        machineID: '',
        systemUUID: '',
      },
    } as NonNullable<Node['status']>,
  };
}

function conditions(now: number): readonly Condition[] {
  const at = timestamp(now);
  const say = (type: string, status: 'True' | 'False', reason: string, message: string): Condition & object => ({
    type,
    status,
    lastHeartbeatTime: at,
    lastTransitionTime: at,
    reason,
    message,
  });
  return [
    say('MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'),
    say('DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'),
    say('PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'),
    say('Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'),
  ];
}
