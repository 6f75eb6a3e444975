import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../../kube/object.ts';
import { defaultOperatorConfig } from '../config/default-operator-config.ts';
import { exampleBlueGreen } from './blue-green.fixture.ts';
import { activeIngress, previewIngress } from './blue-green-ingress.ts';

const operator = defaultOperatorConfig();

function wanted(template: string | undefined, child = {}) {
  const ingress = { ...(template !== undefined && { template }), className: 'nginx', labels: { kind: 'live' } };
  return { resource: exampleBlueGreen({ ingress }), color: 'GREEN', child, operator } as const;
}

interface Spec {
  readonly rules: readonly [{ readonly host?: string; readonly http: { readonly paths: readonly object[] } }];
}

const ruleOf = (object: AnyObject | undefined) => (object?.spec as Spec | undefined)?.rules[0];

describe('the active ingress', () => {
  it('has the name of the resource, belongs to it, and leads to the side', () => {
    expect(activeIngress(wanted('{{name}}.{{namespace}}.example.com/x'))).toEqual({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: {
        name: 'counter',
        namespace: 'shop',
        labels: { component: 'ingress', kind: 'live' },
        annotations: {},
        ownerReferences: [expect.objectContaining({ uid: 'uid-1', controller: true, blockOwnerDeletion: true })],
      },
      spec: {
        ingressClassName: 'nginx',
        rules: [
          {
            host: 'counter.shop.example.com',
            http: {
              paths: [
                {
                  path: '/x',
                  pathType: 'ImplementationSpecific',
                  backend: { service: { name: 'counter-green-rest', port: { number: 8081 } } },
                },
              ],
            },
          },
        ],
      },
    });
  });

  it('leads to the port that the side has, in either spelling', () => {
    for (const flinkConfiguration of [{ 'rest.port': '28081' }, { rest: { port: 28081 } }]) {
      const [path] = ruleOf(activeIngress(wanted('/{{name}}', { flinkConfiguration })))?.http.paths ?? [];
      expect(path).toMatchObject({ path: '/counter', backend: { service: { port: { number: 28081 } } } });
    }
  });

  it('is none without a template', () => {
    expect(activeIngress(wanted(undefined))).toBeUndefined();
    expect(activeIngress(wanted('  '))).toBeUndefined();
    expect(activeIngress({ ...wanted('x'), resource: exampleBlueGreen() })).toBeUndefined();
  });
});

describe('the preview', () => {
  it('has a name and an address of its own', () => {
    const preview = previewIngress(wanted('https://{{name}}.example.com'));
    expect(preview?.metadata.name).toBe('counter-preview');
    expect(ruleOf(preview)?.host).toBe('preview-counter.example.com');
  });

  it('has the word as part of a path, even of one with the name: both ingresses have the same', () => {
    const preview = previewIngress(wanted('/{{namespace}}/{{name}}(/|$)(.*)'));
    expect(ruleOf(preview)).toMatchObject({ http: { paths: [{ path: '/preview/shop/counter(/|$)(.*)' }] } });
  });
});
