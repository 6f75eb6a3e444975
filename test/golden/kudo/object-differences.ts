/** A way in which objects of ours differ from those that KUDO 0.19.0 applied, and why that stays. */
export interface ObjectDifference {
  /** The kind, or `*` for all. */
  readonly kind: string;
  readonly field: string;
  readonly because: string;
}

const nested =
  'KUDO has the version of the operator and, if there are dependencies, their hash on pod templates, so that an upgrade restarts all pods; by seed 004 there is nothing but the UID of an execution that restarts them, and this one was compared as a quiet one';

/** All of them. One that is not listed fails the comparison, and so does an entry that no longer occurs. */
export const objectDifferences: readonly ObjectDifference[] = [
  {
    kind: '*',
    field: 'metadata.annotations["kudo.dev/operator-version"]',
    because: 'only ours: seed 004 has it on the object itself, where KUDO lost it when it moved it to the pod template',
  },
  {
    kind: 'Secret',
    field: 'metadata.annotations["kudo.cutover.dev/content-hash"]',
    because:
      'only ours, in place of the annotation in which KUDO keeps all that it applied: that shows what the Secret holds to everybody who may see metadata',
  },
  { kind: 'Deployment', field: 'spec.template.metadata.annotations', because: nested },
  { kind: 'Deployment', field: 'spec.template.metadata.annotations["kudo.dev/dependencies-hash"]', because: nested },
  { kind: 'Deployment', field: 'spec.template.metadata.annotations["kudo.dev/operator-version"]', because: nested },
  { kind: 'StatefulSet', field: 'spec.template.metadata.annotations', because: nested },
  { kind: 'CronJob', field: 'spec.jobTemplate.spec.template.metadata.annotations', because: nested },
  { kind: 'Job', field: 'spec.template.metadata.annotations', because: nested },
  {
    kind: 'CronJob',
    field: 'spec.template',
    because: 'KUDO also labels a template that no CronJob has, and the API server drops it',
  },
  {
    kind: 'Service',
    field: 'spec.ports[0].targetPort',
    because: "absent in the template; KUDO's Go type writes a 0, which the API server takes for absent",
  },
];
