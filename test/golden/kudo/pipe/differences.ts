/** A field in which what a Pipe task makes differs from what KUDO 0.19.0 made, and why that stays. */
export interface PipeDifference {
  readonly kind: string;
  readonly field: string;
  readonly because: string;
}

export const pipeDifferences: readonly PipeDifference[] = [
  ...['Pod', 'ConfigMap', 'Secret'].map((kind) => ({
    kind,
    field: 'metadata.annotations["kudo.dev/operator-version"]',
    because: 'only ours: seed 004 has it on the object itself',
  })),
  ...['ConfigMap', 'Secret'].map((kind) => ({
    kind,
    field: 'metadata.annotations["kudo.cutover.dev/from-pod"]',
    because: 'only ours: tells whether all that belongs together is from one pod, also when a process died in between',
  })),
  {
    kind: 'Secret',
    field: 'metadata.annotations["kudo.cutover.dev/content-hash"]',
    because: 'only ours, in place of the annotation in which KUDO shows all that the Secret holds',
  },
  {
    kind: 'Pod',
    field: 'spec.containers[waiter].imagePullPolicy',
    because:
      'absent in KUDO, which means Always for an image without a tag: a node without a registry could never run it',
  },
];
