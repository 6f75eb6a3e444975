import { describe, expect, it } from 'vitest';
import { contains } from '../../../src/control/contains.ts';
import type { AnyObject } from '../../../src/kube/object.ts';
import { conformance } from '../../conformance/server.ts';
import { goldenCases } from './load.ts';
import { objectsOf, planOf } from './planned.ts';

const server = conformance();

const plurals: Readonly<Record<string, string>> = {
  ConfigMap: 'configmaps',
  Deployment: 'deployments',
  Ingress: 'ingresses',
  Service: 'services',
};

const made = goldenCases().filter(({ kind, sent }) => kind === 'FlinkDeployment' && sent.length > 0);

describe('the objects of a cluster', () => {
  it.each(made.map((golden) => [golden.name, golden] as const))(
    'come back from the API server as they were applied: %s',
    async (_, golden) => {
      for (const object of objectsOf(planOf(golden, golden.input.spec))) {
        const { namespace, api } = server();
        const wanted: AnyObject = { ...object, metadata: { ...object.metadata, namespace } };
        const applied = await api.apply(pathOf(wanted), wanted);
        expect(applied.status, JSON.stringify(applied.body)).toBeLessThan(300);
        expect(contains(applied.body, wanted), `${wanted.kind} ${wanted.metadata.name}`).toBe(true);
      }
    },
  );
});

function pathOf({ apiVersion, kind, metadata }: AnyObject): string {
  const [plural, name] = [plurals[kind] ?? '', metadata.name ?? ''];
  const path = apiVersion === 'v1' ? server().core(plural, name) : server().group(apiVersion, plural, name);
  return `${path}?fieldValidation=Strict&fieldManager=test&force=true&dryRun=All`;
}
