import type { World } from '../../src/embedded/world.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { AnyObject } from '../../src/kube/object.ts';
import type { ResourceType } from '../../src/kube/resource-type.ts';
import { spelledOut } from './spelled-out.ts';
import { withoutChance } from './without-chance.ts';

const generated: readonly ResourceType[] = [
  kinds.deployments,
  kinds.statefulSets,
  kinds.jobs,
  kinds.services,
  kinds.configMaps,
  kinds.secrets,
  kinds.ingresses,
  kinds.pods,
];

/**
 * What was made for a lane, and what its resources say, as far as it does not depend on when and how often: everything whose
 * name or one of whose labels begins with the lane's name. Pods are counted.
 */
export function laneState(world: World, lane: string, family: readonly ResourceType[]): unknown {
  const isMine = ({ metadata: { name = '', labels } }: AnyObject): boolean =>
    [name, name.replace(/^(pod-template|flink-config)-/, ''), ...Object.values(labels ?? {})].some(
      (text) => text === lane || text.startsWith(`${lane}-`),
    );
  const found = [...generated, ...family].flatMap((type) =>
    world
      .list<AnyObject>(type)
      .filter(isMine)
      .map((object) => essence(type, object)),
  );
  return found.map((one) => withoutChance(spelledOut(one))).sort(byText);
}

function essence(type: ResourceType, { metadata, spec, status, ...rest }: AnyObject): unknown {
  const { name, labels, annotations, deletionTimestamp } = metadata;
  const { kind } = type;
  if (kind === 'Pod') {
    const { phase } = (status ?? {}) as { readonly phase?: string };
    return { kind, component: labels?.component ?? labels?.app, phase, leaving: deletionTimestamp !== undefined };
  }
  const { data, stringData } = rest as { readonly data?: unknown; readonly stringData?: unknown };
  return { kind, name, labels, annotations, spec, data, stringData, says: conditionsOf(status) };
}

/** `StateDropped` is about the past, and stays. */
function conditionsOf(status: AnyObject['status']): readonly string[] | undefined {
  const { conditions } = (status ?? {}) as { conditions?: readonly { type: string; status: string; reason: string }[] };
  return conditions
    ?.filter(({ type }) => type !== 'StateDropped')
    .map(({ type, status: is, reason }) => `${type} ${is} ${reason}`)
    .sort();
}

function byText(a: unknown, b: unknown): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}
