import type { BlueGreenView } from '../../../src/flink/blue-green-view.ts';
import type { OperatorConfig } from '../../../src/flink/config/operator-config.ts';
import type { BlueGreenCaches } from '../../../src/flink/observe/blue-green-caches.ts';
import { blueGreenView } from '../../../src/flink/observe/blue-green-view.ts';
import { missedSides } from '../../../src/flink/observe/missed-sides.ts';
import { blueGreenSpecCodec } from '../../../src/flink/resources/blue-green-spec.ts';
import type { FlinkDeploymentSpec } from '../../../src/flink/resources/flink-deployment.ts';
import { restarts } from './surroundings.ts';
import {
  type Cluster,
  isReady,
  namespace,
  resourceName,
  type Saw,
  seenBy,
  trafficOf,
  uidOf,
  type World,
} from './world.ts';

/** What the operator knows when it looks: its caches, and the sides that it asks the server for because they lack them. */
export function observed(world: World): Cluster {
  const seen = seenBy(world);
  const { resource, sides } = seen;
  if (!resource || world.lag?.cache !== 'sides') return seen;
  const missed = missedSides(resource, cachesOf(seen));
  if (missed.length === 0) return seen;
  return {
    ...seen,
    sides: { ...sides, ...Object.fromEntries(missed.map((color) => [color, world.cluster.sides[color]])) },
  };
}

/** The view of it, made as the operator makes it. */
export function viewOf(seen: Cluster, now: number, operator: OperatorConfig): BlueGreenView | undefined {
  const { resource } = seen;
  if (!resource) return undefined;
  const glance = { object: resource, now, outcomes: {}, signal: new AbortController().signal };
  return blueGreenView(`${namespace}/${resourceName}`, glance, { caches: cachesOf(seen), operator: () => operator });
}

export function sawIn(seen: Cluster): Saw {
  const { resource, sides } = seen;
  return {
    traffic: trafficOf(seen),
    ready: { BLUE: isReady(sides.BLUE), GREEN: isReady(sides.GREEN) },
    uids: { BLUE: uidOf(sides.BLUE), GREEN: uidOf(sides.GREEN) },
    suspended: resource?.spec.template?.spec?.job?.state === 'suspended',
    edited: resource !== undefined && isEdited(resource),
    deleting: resource?.metadata.deletionTimestamp !== undefined,
  };
}

const nothing: FlinkDeploymentSpec = {};
const read = new Map<string, FlinkDeploymentSpec>();

function isEdited({ spec, status }: NonNullable<Cluster['resource']>): boolean {
  const text = status?.transition?.spec;
  return text !== undefined && restarts(specIn(text), spec.template?.spec ?? nothing);
}

function specIn(text: string): FlinkDeploymentSpec {
  const known = read.get(text);
  if (known) return known;
  const found = blueGreenSpecCodec.read(text);
  const spec = (found.ok && found.spec.template?.spec) || nothing;
  read.set(text, spec);
  return spec;
}

/** As much of the caches as is read. */
function cachesOf({ sides, ingresses, snapshots }: Cluster): BlueGreenCaches {
  const named = (name: string): string => `${namespace}/${resourceName}${name}`;
  const deployments = new Map([
    [named('-blue'), sides.BLUE?.object],
    [named('-green'), sides.GREEN?.object],
  ]);
  const leading = new Map([
    [named(''), ingresses.active],
    [named('-preview'), ingresses.preview],
  ]);
  return { deployments, ingresses: leading, snapshots: { by: () => snapshots } } as unknown as BlueGreenCaches;
}
