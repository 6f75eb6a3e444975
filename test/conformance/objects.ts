import type { Any } from './api.ts';

/** Small objects that the chapters share. */

export const configMap = (name: string, data: Record<string, string> = {}, metadata: object = {}): Any => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data,
});

export const container = { name: 'main', image: 'nginx:1.27' };

export const pod = (name: string, spec: object = {}, metadata: object = {}): Any => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...metadata },
  spec: { containers: [container], ...spec },
});

/** A pod that no node ever runs: for tests about the API, not about containers. */
export const pendingPod = (name: string, metadata: object = {}): Any =>
  pod(name, { nodeSelector: { 'conformance.invalid/never': 'scheduled' } }, metadata);

const template = (app: string, annotations?: Record<string, string>, spec: object = {}): Any => ({
  metadata: { labels: { app }, ...(annotations && { annotations }) },
  spec: { containers: [container], ...spec },
});

export const deployment = (name: string, spec: object = {}, podSpec: object = {}): Any => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: name } },
    template: template(name, undefined, podSpec),
    ...spec,
  },
});

export const statefulSet = (name: string, spec: object = {}): Any => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name },
  spec: {
    serviceName: name,
    replicas: 3,
    selector: { matchLabels: { app: name } },
    template: template(name),
    ...spec,
  },
});

/** A CustomResourceDefinition of group `GROUP` whose schema has the given properties of `spec`. */
export const definition = (group: string, plural: string, kind: string, spec: object, more: object = {}): Any => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec,
              status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        },
        ...more,
      },
    ],
  },
});
