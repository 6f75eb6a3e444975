import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { installation, installationYaml } from '../../src/install/installation.ts';
import type { AnyObject, JsonObject } from '../../src/kube/object.ts';
import { chartEngine } from '../../src/main/chart-engine.ts';
import { chart, everything as everythingOfHelm, release, rendered } from './rendered.ts';

/** With a key that is there: only Helm makes one. */
const everything: JsonObject = {
  ...everythingOfHelm,
  dashboard: { ...(everythingOfHelm.dashboard as JsonObject), keySecretName: 'cutover-dashboard-key' },
};

const engine = chartEngine({ key: new Uint8Array(32), service: 'cutover' });

function generated(values: JsonObject = {}, crds = false): readonly AnyObject[] {
  return installation(
    chart,
    { release, values: { ...values, ...(!crds && { crds: { install: false } }) }, crds },
    engine,
  );
}

describe('one YAML', () => {
  it('begins with the namespace, which takes no pods that could do harm', () => {
    expect(generated()[0]).toEqual({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'cutover-system', labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
    });
    const shared = installation(
      chart,
      { release: { name: 'cutover', namespace: 'default' }, values: {}, crds: false },
      engine,
    );
    expect(shared[0]).toEqual({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
  });

  it('has all objects that Helm would create, and what Helm would run after that; nothing that it would run before it deletes', () => {
    const objects = generated(everything);
    const { objects: theirs, hooks } = rendered(everything);
    const [, ...ours] = objects;
    const name = ({ kind, metadata }: AnyObject): string => `${kind} ${metadata.namespace}/${metadata.name}`;
    const after = hooks.filter(({ metadata }) => metadata.annotations?.['helm.sh/hook'] !== 'pre-delete');
    expect(after).toHaveLength(5);
    expect(ours.map(name)).toEqual([...theirs, ...after].map(name));
    expect(JSON.stringify(ours)).not.toContain('helm.sh/hook');
    expect(JSON.stringify(ours)).not.toContain('"Helm"');
  });

  it('has the definitions unless they are left out, and is the same text every time', () => {
    const text = (crds: boolean): string => installationYaml(chart, { release, values: everything, crds }, engine);
    const all = text(true);
    expect(all).toBe(text(true));
    const kinds = (of: string): readonly string[] =>
      parseAllDocuments(of).map((document) => (document.toJS() as AnyObject).kind);
    expect(kinds(all).filter((kind) => kind === 'CustomResourceDefinition')).toHaveLength(22);
    expect(kinds(text(false))).toEqual(kinds(all).filter((kind) => kind !== 'CustomResourceDefinition'));
  });

  it('has for the deletion what Helm would delete, what is needed by others last: no definition and no namespace is lost', () => {
    const request = { release, values: everything, crds: true };
    const names = (objects: readonly AnyObject[]): readonly string[] =>
      objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name}`);
    const all = names(installation(chart, request, engine));
    const deleted = names(installation(chart, { ...request, forDeletion: true }, engine));
    expect(deleted.toReversed()).toEqual(all.filter((name) => deleted.includes(name)));
    const left = all.filter((name) => !deleted.includes(name));
    expect(left.filter((name) => !name.startsWith('CustomResourceDefinition '))).toEqual([
      'Namespace undefined/cutover-system',
      'Namespace undefined/cf',
      'ServiceAccount cf/korifi-app',
      'ServiceAccount cf/korifi-task',
    ]);
    expect(left).toHaveLength(22 + 4);
    const text = (forDeletion: boolean): string => installationYaml(chart, { ...request, forDeletion }, engine);
    expect(text(false)).toMatch(/^# .*\n# Delete nothing by this file: .* --for-deletion/);
    expect(text(true)).not.toContain('Delete nothing');
  });

  it('has no key of the dashboard that would be another one each time: it says how to make it, and which value names it', () => {
    expect(() => generated({ dashboard: { enabled: true } })).toThrow(
      /^dashboard.keySecretName: .*kubectl create secret generic cutover-dashboard-key -n cutover-system --from-literal=key=.*set dashboard.keySecretName=cutover-dashboard-key$/,
    );
    const kinds = generated({ dashboard: { enabled: true, keySecretName: 'mine' } }).map(({ kind }) => kind);
    expect(kinds).toContain('Service');
    expect(kinds).not.toContain('Secret');
  });

  it('shows braces of alerts and values as they are', () => {
    const rules = generated(everything).find(({ kind }) => kind === 'PrometheusRule');
    expect(JSON.stringify(rules)).toContain('{{ $labels.');
    const args = JSON.stringify(generated({ extraArgs: ['{{ .Values.secret }}'] }));
    expect(args).toContain('{{ .Values.secret }}');
  });
});
