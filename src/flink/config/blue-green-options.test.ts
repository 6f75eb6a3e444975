import { describe, expect, it } from 'vitest';
import type { FlinkBlueGreenDeploymentSpec } from '../resources/flink-blue-green-deployment.ts';
import { blueGreenSettings } from './blue-green-options.ts';

const prefix = 'kubernetes.operator.bluegreen.';

function settings(spec: FlinkBlueGreenDeploymentSpec, operator: Record<string, string> = {}) {
  return blueGreenSettings({ metadata: { name: 'shop', namespace: 'ns' }, spec }, { settings: operator, logFiles: {} });
}

const configured = (configuration: Record<string, string>) =>
  settings({
    configuration: Object.fromEntries(Object.entries(configuration).map(([key, value]) => [prefix + key, value])),
  });

describe('the settings of a blue/green deployment', () => {
  it('are those of seed 001, and everything beyond it is off', () => {
    expect(settings({})).toEqual({
      abortGraceMs: 600_000,
      deletionDelayMs: 0,
      abortAction: 'keep',
      promotion: 'automatic',
      promotionHoldMs: 0,
      previewIngress: false,
      rollbackWindowMs: 0,
      unhealthyPolicy: 'wait',
      snapshotsKept: 10,
      ingressManaged: true,
      checkpointTimeoutMs: 600_000,
    });
  });

  it('are read from spec.configuration', () => {
    expect(
      configured({
        'abort.grace-period': '20 min',
        'deployment-deletion.delay': '5s',
        'abort.action': 'Suspend',
        promotion: 'manual',
        'promotion.hold': 'PT30S',
        'preview-ingress': 'true',
        'rollback-window': '1 h',
        'unhealthy.policy': 'last-checkpoint',
        'savepoint.history.max.count': '3',
      }),
    ).toMatchObject({
      abortGraceMs: 1_200_000,
      deletionDelayMs: 5000,
      abortAction: 'suspend',
      promotion: 'manual',
      promotionHoldMs: 30_000,
      previewIngress: true,
      rollbackWindowMs: 3_600_000,
      unhealthyPolicy: 'last-checkpoint',
      snapshotsKept: 3,
    });
  });

  it('come from spec.configuration before the template, and from there before the operator', () => {
    const key = `${prefix}abort.grace-period`;
    const template = {
      spec: { flinkConfiguration: { kubernetes: { 'operator.bluegreen.abort.grace-period': '2 min' } } },
    };
    const operator = { [key]: '3 min' };
    expect(settings({}, operator).abortGraceMs).toBe(180_000);
    expect(settings({ template }, operator).abortGraceMs).toBe(120_000);
    expect(settings({ template, configuration: { [key]: '1 min' } }, operator).abortGraceMs).toBe(60_000);
  });

  it.each(['600', ' 600 ', '-5 s', '-PT5S', 'soon', '', '10 fortnights', '999999999999 d'])(
    'are as if unset where a duration is %j',
    (text) => {
      expect(configured({ 'abort.grace-period': text, 'deployment-deletion.delay': text })).toMatchObject({
        abortGraceMs: 600_000,
        deletionDelayMs: 0,
      });
    },
  );

  it('are as if unset where a word or a number is none', () => {
    expect(configured({ promotion: 'never', 'preview-ingress': 'on', 'savepoint.history.max.count': '-1' })).toEqual(
      settings({}),
    );
  });

  it('let only the operator switch ingress management off', () => {
    const key = 'kubernetes.operator.ingress.manage';
    expect(settings({ configuration: { [key]: 'false' } }).ingressManaged).toBe(true);
    expect(settings({}, { [key]: 'false' }).ingressManaged).toBe(false);
  });

  it('know how long a savepoint may take from what Flink is told, within limits', () => {
    const timeout = (text: string) =>
      settings({ template: { spec: { flinkConfiguration: { 'execution.checkpointing.timeout': text } } } });
    expect(timeout('3 min').checkpointTimeoutMs).toBe(180_000);
    expect(timeout('999999999999999999 d').checkpointTimeoutMs).toBe(366 * 86_400_000);
    expect(timeout('-PT5S').checkpointTimeoutMs).toBe(0);
  });
});
