import type { Graph, GraphEdge } from '../../graph/graph.ts';
import { graphOf } from '../../graph/graph-of.ts';
import { parameterId } from '../../graph/ids.ts';
import { someValue } from '../../graph/other-values.ts';
import type { PackageParameter } from '../operator-package.ts';
import type { Complaint } from '../package-error.ts';
import { nothing, ownWarnings } from './finding.ts';
import type { Verifier } from './subject.ts';

/**
 * `forcePodRestart: false` keeps pods only as long as nothing in their template changes. A parameter that is rendered into a
 * pod template restarts them by Kubernetes' own rule, whatever it says of itself: found by rendering with other values.
 */
export const verifyQuietParameters: Verifier = ({ found, operatorVersion }) => {
  const quiet = found.params.parameters.filter(({ forcePodRestart }) => forcePodRestart === false);
  if (quiet.length === 0) return nothing;
  const values = (operatorVersion.spec.parameters ?? [])
    .filter((parameter) => parameter.required === true && typeof parameter.default !== 'string')
    .map((parameter) => [parameter.name, someValue(parameter)] as const);
  const graph = graphOf({ operatorVersion, parameters: Object.fromEntries(values) });
  return ownWarnings(quiet.flatMap((parameter) => problemsOf(parameter, graph)));
};

function problemsOf({ name, at }: PackageParameter, graph: Graph): readonly Complaint[] {
  const own = graph.edges.filter(({ from }) => from === parameterId(name));
  const seen = own.flatMap((edge) =>
    edge.type === 'changes' && edge.podTemplate && keepsRunning(edge.to, graph)
      ? [{ message: changeText(name, edge, own, graph), at }]
      : [],
  );
  const hidden = own.flatMap((edge) => {
    const template = graph.nodes.find(({ id }) => id === edge.to);
    if (edge.type !== 'reads' || template?.type !== 'template' || !template.broken) return [];
    const where = `templates/${template.file}:${edge.lines[0] ?? 1}`;
    const message = `parameter ${JSON.stringify(name)} has forcePodRestart: false, but whether it reaches a pod template is not known: ${where} uses it and could not be rendered`;
    return [{ message, at }];
  });
  return [...seen, ...hidden];
}

/** Jobs run to their end, whatever becomes of their template: there is nothing to restart. */
function keepsRunning(id: string, graph: Graph): boolean {
  const node = graph.nodes.find((one) => one.id === id);
  return node !== undefined && 'kind' in node && !['Job', 'CronJob', 'Pod'].includes(node.kind);
}

function changeText(
  name: string,
  edge: GraphEdge & { readonly type: 'changes' },
  own: readonly GraphEdge[],
  graph: Graph,
): string {
  const object = graph.nodes.find(({ id }) => id === edge.to);
  const subject = object && 'kind' in object ? `${object.kind} ${object.name}` : edge.to;
  const inTemplate = edge.fields.filter((field) => /^spec\.(template|jobTemplate)\b/.test(field));
  const fields = inTemplate.length > 0 ? inTemplate : edge.fields;
  const shown =
    fields.length > 3 ? `${fields.slice(0, 3).join(', ')} and ${fields.length - 3} more` : fields.join(', ');
  const files = graph.edges
    .filter(({ type, to }) => type === 'renders' && to === edge.to)
    .flatMap(({ from }) => {
      const template = graph.nodes.find(({ id }) => id === from);
      const read = own.find((one) => one.type === 'reads' && one.to === from);
      if (template?.type !== 'template' || read?.type !== 'reads') return [];
      return [`templates/${template.file}:${read.lines.join(',')}`];
    });
  const where = files.length > 0 ? ` (${files.join('; ')})` : '';
  const effect = effects[object && 'kind' in object ? object.kind : ''] ?? 'Kubernetes restarts its pods';
  return `parameter ${JSON.stringify(name)} has forcePodRestart: false and reaches the pod template of ${subject}: a change of it changes ${shown || 'the whole object'}${where}, so ${effect}`;
}

/** What a changed pod template means where it does not mean a rolling restart. */
const effects: Readonly<Record<string, string>> = {
  ReplicaSet: 'new pods have it and old ones stay',
  ReplicationController: 'new pods have it and old ones stay',
};
