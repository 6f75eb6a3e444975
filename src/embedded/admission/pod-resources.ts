import { list, record, text } from '../table/fields.ts';
import { type Amounts, amountsIn, most, sum } from './amounts.ts';

/**
 * What a pod needs: all its containers together, or its hungriest init container if that needs more. Sidecars run
 * beside both.
 */
export function podResources(pod: unknown, what: 'requests' | 'limits'): Amounts {
  const of = (container: unknown): Amounts => amountsIn(record(container, `resources.${what}`));
  const containers = list(pod, 'spec.containers').map(of);
  let sidecars: Amounts = {};
  let init: Amounts = {};
  for (const container of list(pod, 'spec.initContainers')) {
    const sidecar = text(container, 'restartPolicy') === 'Always';
    if (sidecar) sidecars = sum([sidecars, of(container)]);
    init = most([init, sidecar ? sidecars : sum([sidecars, of(container)])]);
  }
  return most([sum([...containers, sidecars]), init]);
}
