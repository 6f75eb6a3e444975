import { describe, expect, it } from 'vitest';
import { GRAPH_LIMITS, type Graph, type GraphEdge } from './graph.ts';
import { graphOf } from './graph-of.ts';
import { cassandra, configMap, statefulSet, versionOf } from './versions.fixture.ts';

const edges = ({ edges }: Graph, type: GraphEdge['type']) => edges.filter((edge) => edge.type === type);
const pairs = (graph: Graph, type: GraphEdge['type']) => edges(graph, type).map(({ from, to }) => `${from} → ${to}`);

describe('the graph of a package', () => {
  const graph = graphOf({ operatorVersion: cassandra, parameters: {} });

  it('leads from parameters by templates and objects to workloads', () => {
    expect(pairs(graph, 'reads')).toEqual([
      'param/NODE_COUNT → template/conf.yaml',
      'param/HEAP_SIZE → template/conf.yaml',
      'param/NODE_MEM_MIB → template/conf.yaml',
      'param/NODE_COUNT → template/node.yaml',
      'param/NODE_MEM_MIB → template/node.yaml',
    ]);
    expect(pairs(graph, 'renders')).toEqual([
      'template/conf.yaml → object/ConfigMap/cassandra-conf',
      'template/node.yaml → workload/StatefulSet/cassandra-node',
    ]);
    expect(edges(graph, 'feeds')).toEqual([
      {
        from: 'object/ConfigMap/cassandra-conf',
        to: 'workload/StatefulSet/cassandra-node',
        type: 'feeds',
        by: ['volume'],
      },
    ]);
  });

  it('says which fields a parameter changes, and whether they are in a pod template', () => {
    expect(edges(graph, 'changes')).toEqual([
      {
        from: 'param/NODE_COUNT',
        to: 'object/ConfigMap/cassandra-conf',
        type: 'changes',
        fields: ['data["seeds.txt"]'],
        podTemplate: false,
      },
      {
        from: 'param/HEAP_SIZE',
        to: 'object/ConfigMap/cassandra-conf',
        type: 'changes',
        fields: ['data["cassandra-env.sh"]'],
        podTemplate: false,
      },
      {
        from: 'param/NODE_MEM_MIB',
        to: 'object/ConfigMap/cassandra-conf',
        type: 'changes',
        fields: ['data["cassandra-env.sh"]'],
        podTemplate: false,
      },
      {
        from: 'param/NODE_COUNT',
        to: 'workload/StatefulSet/cassandra-node',
        type: 'changes',
        fields: ['spec.replicas'],
        podTemplate: false,
      },
      {
        from: 'param/NODE_MEM_MIB',
        to: 'workload/StatefulSet/cassandra-node',
        type: 'changes',
        fields: ['spec.template.spec.containers[node].args[0]'],
        podTemplate: true,
      },
    ]);
  });

  it('leads from parameters to plans, tasks and templates', () => {
    expect(pairs(graph, 'triggers')).toContain('param/HEAP_SIZE → plan/deploy');
    expect(pairs(graph, 'runs')).toEqual(['plan/deploy → task/all']);
    expect(pairs(graph, 'applies')).toEqual(['task/all → template/conf.yaml', 'task/all → template/node.yaml']);
  });

  it('is the same each time, and plain JSON', () => {
    expect(JSON.parse(JSON.stringify(graph))).toEqual(graph);
    expect(graphOf({ operatorVersion: structuredClone(cassandra), parameters: {} })).toEqual(graph);
  });

  it('has only edges between nodes that it has, and each node once', () => {
    const ids = graph.nodes.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { from, to } of graph.edges) expect(ids).toEqual(expect.arrayContaining([from, to]));
  });
});

describe('the graph', () => {
  it('holds no value of a parameter or an object', () => {
    const version = versionOf({
      templates: {
        'secret.yaml': 'apiVersion: v1\nkind: Secret\nmetadata: { name: s }\nstringData: { key: "{{ .Params.P }}" }\n',
      },
      parameters: [{ name: 'P', default: 'hunter2' }],
    });
    const graph = graphOf({ operatorVersion: version, parameters: { P: 'correct horse' } });
    expect(edges(graph, 'changes')).toMatchObject([{ fields: ['stringData.key'] }]);
    expect(JSON.stringify(graph)).not.toMatch(/hunter2|horse/);
  });

  it('says where a template cannot be rendered, and nothing of the values that did it', () => {
    const version = versionOf({
      templates: {
        'bad.yaml': 'kind: ConfigMap\n{{ fail .Params.P }}\n',
        'good.yaml': configMap('c', { k: '{{ .Params.P }}' }),
      },
      parameters: [{ name: 'P', default: 'hunter2' }],
    });
    const graph = graphOf({ operatorVersion: version, parameters: {} });
    expect(graph.nodes.find(({ id }) => id === 'template/bad.yaml')).toEqual({
      id: 'template/bad.yaml',
      type: 'template',
      file: 'bad.yaml',
      broken: { reason: 'TaskRenderingError', line: 2 },
    });
    expect(JSON.stringify(graph)).not.toMatch('hunter2');
    expect(pairs(graph, 'changes')).toEqual(['param/P → object/ConfigMap/c']);
  });

  it('knows children by their parameter files, and which of their parameters change', () => {
    const version = versionOf({
      templates: { 'child.yaml': 'NODES: "{{ .Params.N }}"\nFIXED: "1"\n' },
      tasks: [{ name: 'child', kind: 'KudoOperator', spec: { package: 'zookeeper', parameterFile: 'child.yaml' } }],
      plans: { deploy: { phases: [{ name: 'p', steps: [{ name: 's', tasks: ['child'] }] }] } },
      parameters: [{ name: 'N', default: '3' }],
    });
    const instance = { name: 'kafka', namespace: 'default', uid: '' };
    const graph = graphOf({ operatorVersion: version, instance, parameters: {} });
    expect(edges(graph, 'changes')).toMatchObject([
      { from: 'param/N', to: 'object/Instance.kudo.dev/kafka-zookeeper', fields: ['spec.parameters.NODES'] },
    ]);
    expect(pairs(graph, 'configures')).toEqual(['task/child → template/child.yaml']);
  });

  it('knows what pipes leave behind, and who uses it', () => {
    const version = versionOf({
      templates: {
        'pod.yaml': 'apiVersion: v1\nkind: Pod\nspec: {}\n',
        'app.yaml': statefulSet({ name: 'app', mounts: ['{{ .Pipes.cert }}'] }),
      },
      tasks: [
        {
          name: 'make',
          kind: 'Pipe',
          spec: { pod: 'pod.yaml', pipe: [{ file: '/tmp/c', kind: 'ConfigMap', key: 'cert' }] },
        },
        { name: 'run', kind: 'Apply', spec: { resources: ['app.yaml'] } },
      ],
      plans: { deploy: { phases: [{ name: 'p', steps: [{ name: 's', tasks: ['make', 'run'] }] }] } },
      parameters: [],
    });
    const graph = graphOf({
      operatorVersion: version,
      instance: { name: 'i', namespace: 'n', uid: '' },
      parameters: {},
    });
    expect(pairs(graph, 'pipes')).toEqual(['task/make → template/pod.yaml']);
    expect(pairs(graph, 'renders')).toContain('template/pod.yaml → object/ConfigMap/i.deploy.p.s.make.cert');
    expect(pairs(graph, 'feeds')).toEqual(['object/ConfigMap/i.deploy.p.s.make.cert → workload/StatefulSet/app']);
  });

  it('finds what a template makes only with another value', () => {
    const version = versionOf({
      templates: { 'app.yaml': `{{ if eq .Params.MODE "cluster" }}${statefulSet({ name: 'app' })}{{ end }}` },
      parameters: [{ name: 'MODE', default: 'single' }],
    });
    const graph = graphOf({ operatorVersion: version, parameters: {} });
    expect(pairs(graph, 'changes')).toEqual(['param/MODE → workload/StatefulSet/app']);
  });

  it('takes a template that reads parameters as a whole to read all of them', () => {
    const version = versionOf({
      templates: {
        'c.yaml':
          'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c }\ndata:\n{{ range $k, $v := .Params }}  {{ $k }}: "{{ $v }}"\n{{ end }}',
      },
      parameters: [{ name: 'A', default: 'a' }],
    });
    const graph = graphOf({ operatorVersion: version, parameters: {} });
    expect(edges(graph, 'reads')).toMatchObject([{ from: 'param/A', any: true, lines: [] }]);
    expect(edges(graph, 'changes')).toMatchObject([{ fields: ['data.A'] }]);
  });

  it('knows from live objects what the package does not make', () => {
    const live = [
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'shared' }, data: { 'a.txt': 'x' } },
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'unused' } },
    ];
    const version = versionOf({
      templates: { 'app.yaml': statefulSet({ name: 'app', mounts: ['shared', 'absent'] }) },
      parameters: [],
    });
    const { nodes } = graphOf({ operatorVersion: version, parameters: {}, live });
    const objects = nodes.filter(({ type }) => type === 'object');
    expect(objects).toMatchObject([
      { id: 'object/ConfigMap/shared', source: 'cluster', keys: ['a.txt'] },
      { id: 'object/ConfigMap/absent', source: 'unknown' },
    ]);
  });

  it('stops at its limits and says so', () => {
    const names = Array.from({ length: 30 }, (_, index) => `P${index}`);
    const version = versionOf({
      templates: { 'c.yaml': configMap('c', Object.fromEntries(names.map((name) => [name, `{{ .Params.${name} }}`]))) },
      parameters: names.map((name) => ({ name, default: 'x' })),
    });
    const limited = graphOf({ operatorVersion: version, parameters: {}, limits: { ...GRAPH_LIMITS, probes: 10 } });
    expect(limited.incomplete).toBe(true);
    expect(edges(limited, 'changes').length).toBeLessThan(30);
    expect(edges(graphOf({ operatorVersion: version, parameters: {} }), 'changes')).toHaveLength(30);
  });

  it('takes keys and names for what they are, also when all objects have them', () => {
    const version = versionOf({
      templates: { constructor: configMap('c', { k: '{{ .Params.constructor }}' }) },
      parameters: [
        { name: 'constructor', default: 'x' },
        { name: '__proto__', default: 'y', trigger: 'toString' },
      ],
      plans: { deploy: { phases: [{ name: 'p', steps: [{ name: 's', tasks: ['all', 'hasOwnProperty'] }] }] } },
    });
    const graph = graphOf({ operatorVersion: version, parameters: {} });
    expect(pairs(graph, 'changes')).toEqual(['param/constructor → object/ConfigMap/c']);
    expect(pairs(graph, 'triggers')).toEqual(['param/constructor → plan/deploy']);
  });
});
