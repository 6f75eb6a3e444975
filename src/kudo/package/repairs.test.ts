import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../../kube/object.ts';
import { repairObject } from './repairs.ts';

const of = (apiVersion: string, kind: string, spec: unknown = {}): AnyObject => ({
  apiVersion,
  kind,
  metadata: { name: 'x' },
  spec,
});
const selecting = { selector: { matchLabels: { app: 'x' } }, updateStrategy: { type: 'RollingUpdate' } };

describe('repairObject', () => {
  it.each([
    ['batch/v1beta1', 'CronJob', 'batch/v1'],
    ['policy/v1beta1', 'PodDisruptionBudget', 'policy/v1'],
    ['rbac.authorization.k8s.io/v1beta1', 'ClusterRoleBinding', 'rbac.authorization.k8s.io/v1'],
    ['apps/v1beta1', 'Deployment', 'apps/v1'],
    ['extensions/v1beta1', 'Deployment', 'apps/v1'],
    ['extensions/v1beta1', 'DaemonSet', 'apps/v1'],
    ['apps/v1beta2', 'StatefulSet', 'apps/v1'],
    ['extensions/v1beta1', 'NetworkPolicy', 'networking.k8s.io/v1'],
    ['autoscaling/v2beta2', 'HorizontalPodAutoscaler', 'autoscaling/v2'],
  ])('applies a %s %s as %s and says so', (from, kind, to) => {
    const object = of(from, kind, selecting);
    expect(repairObject(object)).toEqual({
      object: { ...object, apiVersion: to },
      warnings: [`${kind} x: ${from} is no longer served, applied as ${to}`],
    });
    expect(object.apiVersion).toBe(from);
  });

  it.each([
    ['v1', 'ConfigMap'],
    ['apps/v1', 'Deployment'],
    ['policy/v1', 'PodDisruptionBudget'],
    ['batch/v1beta1', 'Job'],
    ['example.org/v1beta1', 'CronJob'],
  ])('leaves %s %s alone', (apiVersion, kind) => {
    const object = of(apiVersion, kind);
    expect(repairObject(object)).toEqual({ object, warnings: [] });
  });

  it.each([
    ['networking.k8s.io/v1beta1', 'Ingress', 'pathType'],
    ['apiextensions.k8s.io/v1beta1', 'CustomResourceDefinition', 'structural schema'],
    ['autoscaling/v2beta1', 'HorizontalPodAutoscaler', 'another way'],
  ])('does not guess what a %s %s would be now', (apiVersion, kind, why) => {
    const object = of(apiVersion, kind, selecting);
    const repaired = repairObject(object);
    expect(repaired.object).toBe(object);
    expect(repaired.warnings).toEqual([expect.stringContaining(why)]);
  });

  it.each([{}, { selector: null }, { selector: {} }, null])('does not invent a selector: %j', (spec) => {
    const object = of('extensions/v1beta1', 'Deployment', spec);
    const repaired = repairObject(object);
    expect(repaired.object).toBe(object);
    expect(repaired.warnings[0]).toMatch(/demands a spec\.selector/);
  });

  it('does not let a budget that matched no pod match all of them', () => {
    const object = of('policy/v1beta1', 'PodDisruptionBudget', { selector: {} });
    const repaired = repairObject(object);
    expect(repaired.object).toBe(object);
    expect(repaired.warnings[0]).toMatch(/every pod of the namespace/);
  });

  it('says where pods that waited for their deletion now roll', () => {
    const spec = { selector: { matchLabels: { app: 'x' } } };
    expect(repairObject(of('apps/v1beta1', 'StatefulSet', spec)).warnings[0]).toMatch(/OnDelete.*RollingUpdate/);
    expect(repairObject(of('apps/v1beta2', 'StatefulSet', spec)).warnings[0]).not.toMatch(/OnDelete/);
    expect(repairObject(of('extensions/v1beta1', 'DaemonSet', spec)).warnings[0]).toMatch(/OnDelete/);
  });

  it('survives an object without metadata', () => {
    const object = { apiVersion: 'batch/v1beta1', kind: 'CronJob' } as AnyObject;
    expect(repairObject(object).object.apiVersion).toBe('batch/v1');
  });
});
