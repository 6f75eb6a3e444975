import type { KubeObject } from '../../../kube/object.ts';
import { labels } from '../../keys.ts';
import { podIndex } from '../pod-index.ts';

/** A pod as far as its logs are concerned. */
export interface LogPod extends KubeObject {
  readonly spec?: {
    readonly containers?: readonly { readonly name: string }[];
    readonly initContainers?: readonly { readonly name: string }[];
  };
  readonly status?: {
    readonly containerStatuses?: readonly {
      readonly name: string;
      readonly restartCount?: number;
      readonly state?: { readonly waiting?: object };
      readonly lastState?: { readonly terminated?: object };
    }[];
  };
}

/** One container whose output is read. */
export interface LogSource {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  /** What it printed before its last restart. */
  readonly previous: boolean;
  readonly sourceType: string;
  readonly instance: string;
}

/** How runners call the container of the app or task; others in the pod belong to the cluster. */
const ours = ['application', 'workload'];

/** The output of an instance: also of the container that ran before it crashed, which is what people look for then. */
export function instanceSources(pod: LogPod): readonly LogSource[] {
  const type = pod.metadata.labels?.[labels.processType] ?? 'web';
  return containerSources(pod, `APP/PROC/${type.toUpperCase()}`, String(podIndex(pod) ?? 0));
}

/** The output of a task. */
export function taskSources(pod: LogPod, name: string): readonly LogSource[] {
  return containerSources(pod, `APP/TASK/${name}`, '0');
}

/** The output of a builder: its steps are containers, one after the other. */
export function stagingSources(pod: LogPod): readonly LogSource[] {
  const steps = [...(pod.spec?.initContainers ?? []), ...(pod.spec?.containers ?? [])];
  return steps.map(({ name }) => source(pod, name, false, 'STG', '0'));
}

function containerSources(pod: LogPod, sourceType: string, instance: string): readonly LogSource[] {
  const names = pod.spec?.containers?.map(({ name }) => name) ?? [];
  const container = names.find((name) => ours.includes(name)) ?? names[0];
  if (container === undefined) return [];
  const status = pod.status?.containerStatuses?.find(({ name }) => name === container);
  const restarted = (status?.restartCount ?? 0) > 0 || status?.lastState?.terminated !== undefined;
  // Of a container that waits for its next start, the output is that of the one before.
  const isAnother = restarted && status?.state?.waiting === undefined;
  return [
    ...(isAnother ? [source(pod, container, true, sourceType, instance)] : []),
    source(pod, container, false, sourceType, instance),
  ];
}

function source(
  { metadata }: LogPod,
  container: string,
  previous: boolean,
  sourceType: string,
  instance: string,
): LogSource {
  return { namespace: metadata.namespace ?? '', pod: metadata.name ?? '', container, previous, sourceType, instance };
}
