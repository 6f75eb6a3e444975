import type { PodPortrait, TreeNode } from '../../../portrait/portrait.ts';
import type { BlueGreenView, IngressSeen } from '../../blue-green-view.ts';
import { sideOf } from '../../decide/bluegreen/side.ts';
import { type Color, colors } from '../../resources/blue-green-transition.ts';
import type { ClusterParts } from '../cluster-parts.ts';
import { clusterNodes } from '../cluster-tree.ts';
import type { BlueGreenLook } from './blue-green-look.ts';
import { sidesOf } from './sides.ts';
import { summaryOf } from './summary.ts';

export interface SideParts {
  readonly createdAt: string | undefined;
  readonly parts: ClusterParts;
  readonly pods: readonly PodPortrait[];
}

/** The resource, its sides down to their pods, its Ingresses and the savepoints that were taken for it. */
export function treeOf(l: BlueGreenLook, view: BlueGreenView, of: Readonly<Record<Color, SideParts>>): TreeNode {
  const { resource, subject, state } = l;
  const createdAt = resource.metadata.creationTimestamp;
  return {
    kind: subject.kind,
    name: subject.name,
    phase: summaryOf(l).phase,
    status: state,
    ...(createdAt !== undefined && { createdAt }),
    children: [
      ...colors.flatMap((color) => sideNodes(l, view, color, of[color])),
      ...[view.ingress, view.preview].flatMap((ingress) => ingressNodes(subject.uid, ingress)),
      ...view.snapshots.map(({ metadata, status }): TreeNode => {
        const told = status?.state ?? 'asked for';
        return {
          kind: 'FlinkStateSnapshot',
          name: metadata.name ?? '',
          phase:
            told === 'COMPLETED' ? 'healthy' : told === 'FAILED' || told === 'ABANDONED' ? 'failed' : 'progressing',
          status: told,
          ...(metadata.creationTimestamp !== undefined && { createdAt: metadata.creationTimestamp }),
          ...(status?.path !== undefined && { info: status.path }),
          children: [],
        };
      }),
    ],
  };
}

function sideNodes(l: BlueGreenLook, view: BlueGreenView, color: Color, of: SideParts): readonly TreeNode[] {
  const { name, seen } = sideOf(l.subject, color, view.sides[color]);
  const portrait = sidesOf(l, view).find((one) => one.name === color.toLowerCase());
  if (!seen || !portrait) return [];
  return [
    {
      kind: 'FlinkDeployment',
      name,
      phase: portrait.phase,
      status: portrait.state,
      ...(of.createdAt !== undefined && { createdAt: of.createdAt }),
      info: portrait.role,
      children: clusterNodes(of.parts, of.pods),
    },
  ];
}

function ingressNodes(uid: string, ingress: IngressSeen | undefined): readonly TreeNode[] {
  if (!ingress?.owners.includes(uid)) return [];
  const leads = ingress.backends.length > 0 ? `leads to ${ingress.backends.join(', ')}` : 'leads nowhere';
  const phase = ingress.terminating ? 'deleting' : 'healthy';
  return [{ kind: 'Ingress', name: ingress.ref.name, phase, status: leads, children: [] }];
}
