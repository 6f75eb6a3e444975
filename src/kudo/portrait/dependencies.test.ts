import { describe, expect, it } from 'vitest';
import { anInstance, aroundWith, atRest, aVersion } from './around.fixture.ts';
import { dependencies } from './dependencies.ts';

describe('what depends on what in an Instance', () => {
  it('goes from parameters to the pods that they restart, without any value', () => {
    const graph = dependencies(anInstance(atRest()), aroundWith(aVersion()));
    const edges = graph.edges.map(({ from, type, to }) => `${from} ${type} ${to}`);
    expect(edges).toEqual(
      expect.arrayContaining([
        'param/LEVEL triggers plan/deploy',
        'param/LEVEL reads template/conf.yaml',
        'template/conf.yaml renders object/ConfigMap/db-conf',
        'object/ConfigMap/db-conf feeds workload/StatefulSet/db-node',
      ]),
    );
    expect(graph.nodes.find(({ id }) => id === 'param/COUNT')).toEqual({
      id: 'param/COUNT',
      type: 'parameter',
      label: 'COUNT',
      note: 'a change restarts pods only if it reaches their template',
    });
    expect(JSON.stringify(graph)).not.toContain('sesame');
    expect(graph.incomplete).toBeUndefined();
  });

  it('is not known without the version', () => {
    expect(dependencies(anInstance(atRest()), aroundWith())).toEqual({ nodes: [], edges: [], incomplete: true });
  });
});
