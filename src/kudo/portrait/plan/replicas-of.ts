import { at } from '../../graph/workload.ts';

/** How many pods a workload is to have; `undefined` for what does not say. */
export function replicasOf(object: unknown): number | undefined {
  const found = at(object, ['spec', 'replicas']);
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
}
