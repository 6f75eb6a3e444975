import type { AnyObject, KubeObject } from '../../kube/object.ts';
import type { OperatorVersion } from '../resources/operator-version.ts';
import { showField } from './changed-fields.ts';
import { GRAPH_LIMITS, type Graph, type GraphEdge, type GraphLimits, type GraphNode, type Use } from './graph.ts';
import { objectId, parameterId, planId, taskId, templateId } from './ids.ts';
import { own } from './own.ts';
import { reachesPodTemplate } from './pod-template-fields.ts';
import { Probe } from './probe.ts';
import { readsOf } from './reads.ts';
import { type Reference, referencesOf } from './references.ts';
import type { Subject, Values } from './renderings.ts';
import { planNames, type TemplateUse, tasksOf, templateUses } from './template-uses.ts';
import { triggeredPlan } from './triggered-plan.ts';
import { isWellFormed } from './well-formed.ts';
import { workloadOf } from './workload.ts';

export interface GraphInput extends Subject {
  readonly parameters: Values;
  /** Objects of the Instance's namespace: what workloads refer to beyond the package, and workloads that nothing renders. */
  readonly live?: readonly AnyObject[];
  readonly limits?: GraphLimits;
}

/**
 * The graph of a package with these values. Parameter → template is what the template names; parameter → object was seen by
 * rendering with other values, so what needs two parameters to change at once may be missing.
 */
export function graphOf(input: GraphInput): Graph {
  const { operatorVersion: version, limits = GRAPH_LIMITS } = input;
  if (!isWellFormed(version)) return { nodes: [], edges: [], incomplete: true };
  const graph = new Builder();
  for (const parameter of version.spec.parameters ?? []) {
    const { name, forcePodRestart = true } = parameter;
    graph.node({ id: parameterId(name), type: 'parameter', name, forcePodRestart });
  }
  addPlans(graph, version);
  const uses = oncePerTemplate(templateUses(version));
  const probe = new Probe(input, input.parameters, limits);
  for (const use of uses) addTemplate(graph, version, use, probe);
  for (const use of uses) addReach(graph, version, use, probe);
  const rendered = new Map(uses.flatMap((use) => [...objectsOf(probe, use)]));
  addReferences(graph, rendered, input.live ?? []);
  return graph.built(probe.exhausted);
}

/** Collects nodes and edges, each once. */
class Builder {
  readonly #nodes = new Map<string, GraphNode>();
  readonly #edges = new Map<string, GraphEdge>();

  node(node: GraphNode): void {
    if (!this.#nodes.has(node.id)) this.#nodes.set(node.id, node);
  }

  /** An edge to or from nothing is none. */
  edge(edge: GraphEdge): void {
    if (!this.#nodes.has(edge.from) || !this.#nodes.has(edge.to)) return;
    const key = JSON.stringify([edge.from, edge.to, edge.type]);
    if (!this.#edges.has(key)) this.#edges.set(key, edge);
  }

  built(incomplete: boolean): Graph {
    const nodes = [...this.#nodes.values()];
    return { nodes, edges: [...this.#edges.values()], ...(incomplete && { incomplete: true }) };
  }
}

function addPlans(graph: Builder, version: OperatorVersion): void {
  for (const { name, kind } of version.spec.tasks ?? []) graph.node({ id: taskId(name), type: 'task', name, kind });
  for (const name of planNames(version.spec.plans)) {
    graph.node({ id: planId(name), type: 'plan', name });
    for (const task of tasksOf(version, name)) graph.edge({ from: planId(name), to: taskId(task), type: 'runs' });
  }
  for (const parameter of version.spec.parameters ?? []) {
    const plan = triggeredPlan(version, [parameter.name]);
    if (plan !== undefined) graph.edge({ from: parameterId(parameter.name), to: planId(plan), type: 'triggers' });
  }
  for (const { name, kind, spec } of version.spec.tasks ?? []) {
    if (kind !== 'Toggle' || spec?.parameter === undefined) continue;
    graph.edge({ from: parameterId(spec.parameter), to: taskId(name), type: 'switches' });
  }
}

/** What several tasks or plans apply is rendered where it is first applied: objects are the same, but for names of plans. */
function oncePerTemplate(uses: readonly TemplateUse[]): readonly TemplateUse[] {
  const seen = new Set<string>();
  return uses.filter(({ role, template, task }) => {
    const key = JSON.stringify([role, template, task.name]);
    return !seen.has(key) && seen.add(key);
  });
}

function addTemplate(graph: Builder, version: OperatorVersion, use: TemplateUse, probe: Probe): void {
  const { template, task, role } = use;
  if (own(version.spec.templates, template) === undefined) return;
  const made = makes(use) ? probe.present(use) : undefined;
  const broken = made && 'broken' in made ? { broken: made.broken } : {};
  graph.node({ id: templateId(template), type: 'template', file: template, ...broken });
  graph.edge({ from: taskId(task.name), to: templateId(template), type: role });
  const reads = readsOf(version, template);
  for (const { name } of version.spec.parameters ?? []) {
    const lines = reads.params.get(name);
    if (lines === undefined && !reads.any) continue;
    const any = lines === undefined ? ({ any: true } as const) : {};
    graph.edge({ from: parameterId(name), to: templateId(template), type: 'reads', lines: lines ?? [], ...any });
  }
  for (const [id, object] of objectsOf(probe, use)) {
    graph.node(objectNode(id, object, 'package'));
    graph.edge({ from: templateId(template), to: id, type: 'renders' });
  }
}

function addReach(graph: Builder, version: OperatorVersion, use: TemplateUse, probe: Probe): void {
  if (!makes(use) || use.role === 'pipes') return;
  const reads = readsOf(version, use.template);
  for (const parameter of version.spec.parameters ?? []) {
    if (!reads.any && !reads.params.has(parameter.name)) continue;
    for (const [id, { object, fields }] of probe.reach(use, parameter)) {
      graph.node(objectNode(id, object, 'package'));
      graph.edge({ from: templateId(use.template), to: id, type: 'renders' });
      graph.edge({
        from: parameterId(parameter.name),
        to: id,
        type: 'changes',
        fields: fields.map(showField),
        podTemplate: fields.some((field) => reachesPodTemplate(object, field)),
      });
    }
  }
}

/** What is deleted is not made. */
function makes({ role }: TemplateUse): boolean {
  return role !== 'deletes';
}

function objectsOf(probe: Probe, use: TemplateUse): ReadonlyMap<string, KubeObject> {
  const made = makes(use) ? probe.present(use) : undefined;
  return made && 'objects' in made ? made.objects : new Map();
}

function addReferences(graph: Builder, rendered: ReadonlyMap<string, KubeObject>, live: readonly AnyObject[]): void {
  const there = new Map(live.map((object) => [objectId(object), object]));
  const workloads = new Map<string, KubeObject>();
  for (const [id, object] of [...there, ...rendered]) if (workloadOf(object)) workloads.set(id, object);
  for (const [id, object] of workloads) {
    graph.node(objectNode(id, object, rendered.has(id) ? 'package' : 'cluster'));
    for (const { target, by, keys } of merged(referencesOf(workloadOf(object)?.podSpec))) {
      const from = objectId(target);
      graph.node(objectNode(from, there.get(from) ?? target, there.has(from) ? 'cluster' : 'unknown'));
      graph.edge({ from, to: id, type: 'feeds', by, ...(keys && { keys }) });
    }
  }
}

/** References to one object as one. */
function merged(
  references: readonly Reference[],
): readonly { readonly target: KubeObject; readonly by: readonly Use[]; readonly keys?: readonly string[] }[] {
  return [...Map.groupBy(references, ({ kind, name }) => `${kind}/${name}`).values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const keys = same.every((one) => one.keys) ? [...new Set(same.flatMap((one) => one.keys ?? []))] : undefined;
    const target = { apiVersion: 'v1', kind: first.kind, metadata: { name: first.name } };
    return [{ target, by: [...new Set(same.map(({ by }) => by))], ...(keys && { keys }) }];
  });
}

function objectNode(id: string, object: KubeObject, source: 'package' | 'cluster' | 'unknown'): GraphNode {
  const { apiVersion, kind, metadata } = object;
  const keys = kind === 'ConfigMap' || kind === 'Secret' ? keysOf(object as AnyObject) : undefined;
  const type = workloadOf(object) ? 'workload' : 'object';
  return { id, type, apiVersion, kind, name: metadata.name ?? '', source, ...(keys && { keys }) };
}

const dataFields = ['data', 'binaryData', 'stringData'] as const;

function keysOf(object: AnyObject): readonly string[] {
  const keys = dataFields.flatMap((field) => {
    const data = object[field];
    return typeof data === 'object' && data !== null ? Object.keys(data) : [];
  });
  return [...new Set(keys)].sort();
}
