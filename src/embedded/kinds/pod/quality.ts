import type { Container, PodSpec } from '../objects/pod.ts';
import { amountOf } from '../quantity.ts';

const counted = ['cpu', 'memory'];

/** The class by which a node chooses whom to evict first: by how exactly a pod says what it needs. */
export function qualityOf(spec: PodSpec): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  const asks = containers.some((one) =>
    counted.some((name) => asked(one, 'requests', name) || asked(one, 'limits', name)),
  );
  if (!asks) return 'BestEffort';
  const exact = containers.every((one) =>
    counted.every((name) => {
      const limit = asked(one, 'limits', name);
      return limit > 0 && limit === (asked(one, 'requests', name) || limit);
    }),
  );
  return exact ? 'Guaranteed' : 'Burstable';
}

function asked(container: Container, list: 'requests' | 'limits', name: string): number {
  return amountOf(container.resources?.[list]?.[name] ?? '0') ?? 0;
}
