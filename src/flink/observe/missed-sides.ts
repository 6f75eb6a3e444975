import type { Client } from '../../kube/client.ts';
import { find } from '../../kube/find.ts';
import { childName } from '../manifests/blue-green-child.ts';
import { type Color, colors } from '../resources/blue-green-transition.ts';
import type { FlinkBlueGreenDeployment } from '../resources/flink-blue-green-deployment.ts';
import { type FlinkDeployment, flinkDeployment } from '../resources/flink-deployment.ts';
import type { BlueGreenCaches } from './blue-green-caches.ts';

/**
 * The sides that should be there and that the caches do not show. They may lag, or begin in the past, and whoever took a side that serves for gone would go on without it: then the server itself is asked.
 */
export function missedSides(
  { metadata, status = {} }: FlinkBlueGreenDeployment,
  { deployments }: BlueGreenCaches,
): readonly Color[] {
  const { serving, transition } = status;
  const known = new Set([serving?.uid && serving.color, transition?.targetUid && transition.to, transition?.from]);
  const { namespace, name = '', deletionTimestamp } = metadata;
  if (deletionTimestamp) return [];
  return colors.filter((color) => known.has(color) && !deployments.get(`${namespace}/${childName(name, color)}`));
}

/** These sides, as the server has them. */
export async function askForSides(
  client: Client,
  { metadata: { namespace = '', name = '' } }: FlinkBlueGreenDeployment,
  missed: readonly Color[],
  signal: AbortSignal,
): Promise<Partial<Record<Color, FlinkDeployment>>> {
  const resource = client.resource<FlinkDeployment>(flinkDeployment.type);
  const found: Partial<Record<Color, FlinkDeployment>> = {};
  for (const color of missed) {
    const side = await find(resource, { namespace, name: childName(name, color) }, { signal });
    if (side) found[color] = side;
  }
  return found;
}
