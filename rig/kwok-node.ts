/** A node that exists only in the API: kwok keeps it ready and plays the pods that are scheduled to it. */
export function kwokNode(name: string): Readonly<Record<string, unknown>> {
  const capacity = { cpu: '64', memory: '256Gi', 'ephemeral-storage': '1Ti', pods: '1000' };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      annotations: { 'kwok.x-k8s.io/node': 'fake', 'node.alpha.kubernetes.io/ttl': '0' },
      labels: { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', type: 'kwok' },
    },
    status: { capacity, allocatable: capacity },
  };
}
