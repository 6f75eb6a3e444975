import type { Container, Pod } from '../../kinds/objects/pod.ts';
import type { Job } from '../../kinds/objects/workload.ts';
import { podFrom } from '../pods.ts';
import { indexAnnotation } from './indexes.ts';
import { trackingFinalizer } from './tracking.ts';

/** A pod of the Job; of an indexed one, for this part of the work. */
export function jobPod(job: Job, index: number | undefined): Pod {
  const { name } = job.metadata;
  if (index === undefined) return tracked(podFrom(job.spec.template, job, { generateName: `${name}-` }));
  const pod = podFrom(job.spec.template, job, { generateName: `${name}-${index}-` });
  const withIndex = (container: Container): Container => ({
    ...container,
    env: [
      ...(container.env ?? []).filter((one) => one.name !== 'JOB_COMPLETION_INDEX'),
      {
        name: 'JOB_COMPLETION_INDEX',
        valueFrom: { fieldRef: { fieldPath: `metadata.labels['${indexAnnotation}']` } },
      },
    ],
  });
  return tracked({
    ...pod,
    metadata: {
      ...pod.metadata,
      labels: { ...pod.metadata.labels, [indexAnnotation]: String(index) },
      annotations: { ...pod.metadata.annotations, [indexAnnotation]: String(index) },
    },
    spec: {
      ...pod.spec,
      hostname: `${name}-${index}`,
      containers: pod.spec.containers.map(withIndex),
      ...(pod.spec.initContainers && { initContainers: pod.spec.initContainers.map(withIndex) }),
    },
  });
}

const tracked = (pod: Pod): Pod => ({
  ...pod,
  metadata: { ...pod.metadata, finalizers: [...(pod.metadata.finalizers ?? []), trackingFinalizer] },
});
