import { describe, expect, it } from 'vitest';
import { podTemplateParameters } from './pod-template-parameters.ts';
import { cassandra, kafka, statefulSet, versionOf, zookeeper } from './versions.fixture.ts';

const names = (version: Parameters<typeof podTemplateParameters>[0]) =>
  podTemplateParameters(version).map(({ parameter }) => parameter);

describe('parameters that reach pod templates', () => {
  it('are those whose change restarts pods whatever their flag says', () => {
    expect(podTemplateParameters(zookeeper)).toEqual([
      {
        parameter: 'NODE_COUNT',
        template: 'server.yaml',
        lines: [6, 14],
        workload: { kind: 'StatefulSet', name: 'zookeeper' },
        fields: ['spec.template.spec.containers[node].args[0]'],
      },
    ]);
  });

  it('are not those that reach only the object around the template, or a ConfigMap', () => {
    expect(names(cassandra)).toEqual(['NODE_MEM_MIB']);
    expect(names(kafka)).toEqual([]);
  });

  it('are found also if there is no default', () => {
    const version = versionOf({
      templates: { 'app.yaml': statefulSet({ name: 'app', args: '{{ .Params.N }}' }) },
      parameters: [{ name: 'N', 'value-type': 'integer', required: true }],
    });
    expect(names(version)).toEqual(['N']);
  });

  it('are found behind a comparison with a word', () => {
    const args = '{{ if eq .Params.LEVEL \\"debug\\" }}-v{{ end }}'.replaceAll('\\"', '`');
    const version = versionOf({
      templates: { 'app.yaml': statefulSet({ name: 'app', args }) },
      parameters: [{ name: 'LEVEL', default: 'info', enum: ['info', 'debug'] }],
    });
    expect(names(version)).toEqual(['LEVEL']);
  });
});
