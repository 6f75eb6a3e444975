import type { AnyObject } from '../../kube/object.ts';
import type { Graph, GraphEdge, GraphNode } from '../../portrait/graph.ts';
import type { Around } from '../../portrait/workload.ts';
import type * as own from '../graph/graph.ts';
import { graphOf } from '../graph/graph-of.ts';
import { instanceIn } from './instance-in.ts';
import { besideKinds } from './surroundings.ts';
import { known, presentVersion } from './version-of.ts';
import { brief, names } from './wording.ts';

/** Less than a package may have its graph take where nothing else waits for it. */
const limits: own.GraphLimits = { probes: 1000, work: 3_000_000, fields: 20, compared: 20_000 };

/** What depends on what in the package of an Instance, with the values that it has. Without its version nothing is known. */
export function dependencies(object: AnyObject, around: Around): Graph {
  const read = instanceIn(object);
  const version = known(presentVersion(read, around));
  if (!version) return { nodes: [], edges: [], incomplete: true };
  const { name = '', namespace = 'default', uid = '' } = read.metadata;
  const { nodes, edges, incomplete } = graphOf({
    operatorVersion: version,
    instance: { name, namespace, uid },
    parameters: read.status.accepted?.parameters ?? read.spec.parameters ?? {},
    live: besideKinds.flatMap((type) => mine(around.list(type) ?? [], uid)),
    limits,
  });
  return { nodes: nodes.map(nodeOf), edges: edges.map(edgeOf), ...(incomplete && { incomplete }) };
}

function mine(objects: readonly AnyObject[], uid: string): readonly AnyObject[] {
  return objects.filter(({ metadata }) => metadata.ownerReferences?.some((owner) => owner.uid === uid));
}

function nodeOf(node: own.GraphNode): GraphNode {
  const { id, type } = node;
  const note = noteOf(node);
  const label =
    'file' in node
      ? node.file
      : node.type === 'object' || node.type === 'workload'
        ? `${node.kind} ${node.name}`
        : node.name;
  return { id, type, label, ...(note !== undefined && { note }) };
}

function noteOf(node: own.GraphNode): string | undefined {
  switch (node.type) {
    case 'parameter':
      return node.forcePodRestart
        ? 'a change restarts pods'
        : 'a change restarts pods only if it reaches their template';
    case 'task':
      return node.kind;
    case 'template':
      return node.broken && `cannot be rendered: ${brief(node.broken.reason)}`;
    case 'plan':
      return undefined;
    case 'object':
    case 'workload':
      if (node.source === 'cluster') return 'not made by the package';
      if (node.source === 'unknown') return 'not seen';
      return node.keys?.length ? `keys ${names(node.keys)}` : undefined;
    default:
      return node satisfies never;
  }
}

function edgeOf(edge: own.GraphEdge): GraphEdge {
  const { from, to, type } = edge;
  const label = labelOf(edge);
  return { from, to, type, ...(label !== undefined && { label }) };
}

function labelOf(edge: own.GraphEdge): string | undefined {
  switch (edge.type) {
    case 'reads':
      return edge.any ? 'may read it' : `line${edge.lines.length > 1 ? 's' : ''} ${names(edge.lines.map(String))}`;
    case 'changes':
      return `${names(edge.fields)}${edge.podTemplate ? '; pods restart' : ''}`;
    case 'feeds':
      return `${names(edge.by)}${edge.keys ? `: ${names(edge.keys)}` : ''}`;
    default:
      return undefined;
  }
}
