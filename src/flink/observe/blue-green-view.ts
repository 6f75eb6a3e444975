import { annotations } from '../../control/annotations.ts';
import type { Glance } from '../../control/controller.ts';
import { refTo } from '../../control/decision.ts';
import type { AnyObject } from '../../kube/object.ts';
import { keyOf } from '../../kube/reflector/key.ts';
import type { BlueGreenView, IngressSeen, SideSeen } from '../blue-green-view.ts';
import type { OperatorConfig } from '../config/operator-config.ts';
import { annotations as marks } from '../decide/bluegreen/annotations.ts';
import { childName } from '../manifests/blue-green-child.ts';
import { previewName } from '../manifests/blue-green-ingress.ts';
import { type Color, colors } from '../resources/blue-green-transition.ts';
import type { FlinkBlueGreenDeployment } from '../resources/flink-blue-green-deployment.ts';
import type { FlinkDeployment } from '../resources/flink-deployment.ts';
import type { FlinkStateSnapshot } from '../resources/flink-state-snapshot.ts';
import type { BlueGreenCaches } from './blue-green-caches.ts';
import { instantOf, ownersOf } from './refs.ts';

export interface BlueGreenSources {
  readonly caches: BlueGreenSeen;
  readonly operator: () => OperatorConfig;
}

/** A glance; nothing is waited for, so nothing is aborted. */
type Looked = Omit<Glance<FlinkBlueGreenDeployment>, 'signal'> & Partial<Glance<FlinkBlueGreenDeployment>>;

/** As much of the caches as a look needs. */
export type BlueGreenSeen = {
  readonly deployments: Pick<BlueGreenCaches['deployments'], 'get'>;
  readonly ingresses: Pick<BlueGreenCaches['ingresses'], 'get'>;
  readonly snapshots: Pick<BlueGreenCaches['snapshots'], 'by'>;
};

/** What is decided on about a FlinkBlueGreenDeployment. `found` are sides that the caches do not show. */
export function blueGreenView(
  key: string,
  { object, now, outcomes }: Looked,
  { caches, operator }: BlueGreenSources,
  found: Partial<Record<Color, FlinkDeployment>> = {},
): BlueGreenView {
  const { name = '', namespace, uid = '' } = object.metadata;
  const { deployments, ingresses, snapshots } = caches;
  const shown = (color: Color): FlinkDeployment | undefined =>
    deployments.get(`${namespace}/${childName(name, color)}`);
  const side = (color: Color): SideSeen | undefined => {
    const deployment = shown(color) ?? found[color];
    return deployment && sideSeen(deployment);
  };
  const unheard = colors.some((color) => found[color] && !shown(color));
  const ingress = (ingressName: string): IngressSeen | undefined => {
    const there = ingresses.get(`${namespace}/${ingressName}`);
    return there && ingressSeen(there as AnyObject);
  };
  return {
    now,
    outcomes,
    // Definitions demand no spec: none is as good as an empty one.
    resource: (object.spec as object | undefined) ? object : { ...object, spec: {} },
    operator: operator(),
    sides: { BLUE: side('BLUE'), GREEN: side('GREEN') },
    ...(unheard && { unheard }),
    namesake: deployments.get(key) !== undefined,
    ingress: ingress(name),
    preview: ingress(previewName(name)),
    snapshots: snapshots
      .by('blueGreen', key)
      .filter(({ metadata }) => metadata.annotations?.[annotations.id]?.startsWith(`${uid}/`))
      .toSorted((a, b) => age(a) - age(b) || keyOf(a).localeCompare(keyOf(b))),
  };
}

/** A side, as it was last seen. */
export function sideSeen(deployment: FlinkDeployment): SideSeen {
  const { metadata, spec, status } = deployment;
  return {
    ref: refTo(deployment),
    owners: ownersOf(deployment),
    id: metadata.annotations?.[annotations.id],
    terminating: metadata.deletionTimestamp !== undefined,
    terminatingSince: instantOf(metadata.deletionTimestamp),
    finalizers: metadata.finalizers ?? [],
    generation: metadata.generation ?? 0,
    labels: metadata.labels ?? {},
    annotations: metadata.annotations ?? {},
    spec: (spec as FlinkDeployment['spec'] | undefined) ?? {},
    status: status ?? {},
  };
}

/** The part of an Ingress that says where it leads. */
interface Leading {
  readonly defaultBackend?: Backend;
  readonly rules?: readonly { readonly http?: { readonly paths?: readonly { readonly backend?: Backend }[] } }[];
}

interface Backend {
  readonly service?: { readonly name?: string };
}

/** An Ingress, as it was last seen. */
export function ingressSeen(ingress: AnyObject): IngressSeen {
  const { defaultBackend, rules = [] } = (ingress.spec ?? {}) as Leading;
  const backends = [defaultBackend, ...rules.flatMap(({ http }) => (http?.paths ?? []).map(({ backend }) => backend))];
  return {
    ref: refTo(ingress),
    owners: ownersOf(ingress),
    terminating: ingress.metadata.deletionTimestamp !== undefined,
    backends: [...new Set(backends.flatMap((backend) => backend?.service?.name ?? []))],
    move: ingress.metadata.annotations?.[marks.move],
  };
}

function age({ metadata }: FlinkStateSnapshot): number {
  return instantOf(metadata.creationTimestamp) ?? 0;
}
