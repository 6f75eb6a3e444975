import { describe, expect, it } from 'vitest';
import type { Graph } from '../../portrait/graph.ts';
import { graphColumns } from './graph-columns.ts';
import { reach } from './reach.ts';

const node = (id: string) => ({ id, type: id.split('/')[0] ?? '', label: id });
const edge = (from: string, type: string, to: string) => ({ from, to, type });

/** One template makes two objects; HEAP reaches only the first of them. */
const graph: Graph = {
  nodes: [
    'parameter/HEAP',
    'parameter/COUNT',
    'template/all.yaml',
    'object/ConfigMap/conf',
    'object/Service/web',
    'workload/StatefulSet/node',
    'plan/deploy',
    'task/app',
  ].map(node),
  edges: [
    edge('parameter/HEAP', 'reads', 'template/all.yaml'),
    edge('parameter/COUNT', 'reads', 'template/all.yaml'),
    edge('template/all.yaml', 'renders', 'object/ConfigMap/conf'),
    edge('template/all.yaml', 'renders', 'object/Service/web'),
    edge('object/ConfigMap/conf', 'feeds', 'workload/StatefulSet/node'),
    edge('parameter/HEAP', 'changes', 'object/ConfigMap/conf'),
    edge('parameter/COUNT', 'changes', 'object/Service/web'),
    edge('parameter/HEAP', 'triggers', 'plan/deploy'),
    edge('plan/deploy', 'runs', 'task/app'),
    edge('task/app', 'applies', 'template/all.yaml'),
  ],
};

describe('what has to do with a node', () => {
  it('follows what a parameter really changes, not everything that its template makes', () => {
    expect([...reach(graph, 'parameter/HEAP').down].sort()).toEqual([
      'object/ConfigMap/conf',
      'plan/deploy',
      'template/all.yaml',
      'workload/StatefulSet/node',
    ]);
  });

  it('says on which parameters a workload depends', () => {
    expect([...reach(graph, 'workload/StatefulSet/node').up].sort()).toEqual([
      'object/ConfigMap/conf',
      'parameter/HEAP',
      'template/all.yaml',
    ]);
  });

  it('says who reads a template', () => {
    const { up, down } = reach(graph, 'template/all.yaml');
    expect(up.has('parameter/HEAP') && up.has('parameter/COUNT')).toBe(true);
    expect(down.has('object/Service/web') && down.has('workload/StatefulSet/node')).toBe(true);
  });

  it('goes through templates when nothing better is known, and round circles once', () => {
    const plain: Graph = {
      nodes: graph.nodes,
      edges: [
        ...graph.edges.filter((one) => one.type !== 'changes'),
        edge('workload/StatefulSet/node', 'feeds', 'object/ConfigMap/conf'),
      ],
    };
    expect(reach(plain, 'parameter/COUNT').down.has('workload/StatefulSet/node')).toBe(true);
    expect(reach(plain, 'parameter/COUNT').down.has('parameter/COUNT')).toBe(false);
  });

  it('is nothing for what is not there', () => {
    expect(reach(graph, 'parameter/GONE')).toEqual({ down: new Set(), up: new Set() });
  });
});

describe('the columns of a graph', () => {
  it('leave out plans and tasks, and what the other edges already say', () => {
    const { titles, nodes, edges } = graphColumns(graph, false);
    expect(titles).toEqual(['parameters', 'templates', 'objects', 'workloads']);
    expect(nodes.find(({ id }) => id === 'workload/StatefulSet/node')?.layer).toBe(3);
    expect(new Set(edges.map(({ type }) => type))).toEqual(new Set(['reads', 'renders', 'feeds']));
  });

  it('show plans and tasks when asked', () => {
    const { titles, edges } = graphColumns(graph, true);
    expect(titles).toEqual(['parameters', 'plans', 'tasks', 'templates', 'objects', 'workloads']);
    expect(edges.some(({ type }) => type === 'applies')).toBe(true);
  });

  it('keep what they do not know, at the end', () => {
    const { titles, nodes } = graphColumns({ nodes: [node('secret/x'), node('parameter/A')], edges: [] }, false);
    expect(titles).toEqual(['parameters', 'others']);
    expect(nodes.map(({ layer }) => layer)).toEqual([1, 0]);
  });
});
