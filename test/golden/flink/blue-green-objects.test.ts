import { describe, expect, it } from 'vitest';
import { parseOperatorConfig } from '../../../src/flink/config/parse-operator-config.ts';
import { childObject } from '../../../src/flink/manifests/blue-green-child.ts';
import { activeIngress } from '../../../src/flink/manifests/blue-green-ingress.ts';
import type { FlinkBlueGreenDeployment } from '../../../src/flink/resources/flink-blue-green-deployment.ts';
import { flinkDeploymentSpelling, spell, textOf } from '../../../src/flink/resources/java-spelling.ts';
import { type GoldenCase, goldenCases, operatorConf } from './load.ts';

const operator = parseOperatorConfig(operatorConf());
if ('problem' in operator) throw new Error(operator.problem);

const cases = goldenCases().filter(({ kind, sent }) => kind === 'FlinkBlueGreenDeployment' && sent.length > 0);

function resourceOf({ input }: GoldenCase): FlinkBlueGreenDeployment {
  return { ...input, metadata: { ...input.metadata, uid: '<uid>' } } as unknown as FlinkBlueGreenDeployment;
}

describe.each(cases.map((golden) => [golden.name, golden] as const))('the objects of %s', (_, golden) => {
  const resource = resourceOf(golden);
  const child = childObject({ resource, color: 'BLUE', spec: resource.spec, restore: {}, id: 'id' });

  it('are a side that is the recorded one, but for what the template says of its metadata', () => {
    const theirs = golden.sent.find(({ kind }) => kind === 'FlinkDeployment');
    const { labels, annotations } = resource.spec.template?.metadata ?? {};
    expect(textOf(spell(child.spec, flinkDeploymentSpelling))).toBe(
      textOf(spell(theirs?.spec, flinkDeploymentSpelling)),
    );
    expect(child.metadata).toEqual({
      ...theirs?.metadata,
      labels: { ...theirs?.metadata.labels, ...labels },
      annotations: { ...annotations, 'cutover.dev/id': 'id' },
    });
  });

  it('are the recorded Ingress, where there was one', () => {
    const theirs = golden.sent.find(({ kind }) => kind === 'Ingress');
    // It was made when the side was ready: in one recording it never was.
    if (!theirs) return expect(golden.status.blueGreenState).not.toMatch(/^ACTIVE/);
    expect(activeIngress({ resource, color: 'BLUE', child: child.spec, operator })).toEqual(theirs);
  });
});

it('compares both recordings', () => {
  expect(cases.length).toBeGreaterThan(1);
});
