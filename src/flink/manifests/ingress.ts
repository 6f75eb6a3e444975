import type { AnyObject } from '../../kube/object.ts';
import { flinkOptions } from '../config/flink-options.ts';
import { operatorOptions } from '../config/operator-options.ts';
import { read } from '../config/option.ts';
import type { Blueprint } from './blueprint.ts';
import { metadata, ownedByResource } from './metadata.ts';

/** The Ingress of a cluster; undefined when none is asked for, or Ingresses are not managed here. */
export function ingress(blueprint: Blueprint): AnyObject | undefined {
  const { plan, settings, config } = blueprint;
  const { name, namespace } = plan.owner;
  const { ingress: wanted } = plan.spec;
  if (!wanted?.template || !read(settings, operatorOptions.ingressManage)) return undefined;
  const { host, path } = ingressAddress(wanted.template, { name, namespace });
  const service = { name: `${name}-rest`, port: { number: read(config, flinkOptions.restPort) } };
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: metadata(blueprint, {
      name,
      owner: ownedByResource(blueprint, true),
      labels: { ...wanted.labels, component: 'ingress' },
      annotations: wanted.annotations ?? {},
    }),
    spec: {
      ...(wanted.className && { ingressClassName: wanted.className }),
      rules: [
        {
          ...(host && { host }),
          http: { paths: [{ ...(path && { path }), pathType: 'ImplementationSpecific', backend: { service } }] },
        },
      ],
      ...(wanted.tls?.length && { tls: wanted.tls }),
    },
  };
}

export interface IngressAddress {
  readonly host: string;
  readonly path: string;
}

/**
 * Host and path of `{{name}}.example.com/{{namespace}}`, either of which may be empty; a scheme and a port mean nothing.
 * The path may be a regular expression, as some ingress controllers want it.
 */
function ingressAddress(template: string, of: { readonly name: string; readonly namespace: string }): IngressAddress {
  const filled = template
    .trim()
    .replaceAll(/\{\{name\}\}/gi, () => of.name)
    .replaceAll(/\{\{namespace\}\}/gi, () => of.namespace)
    .replace(/^[a-z][a-z\d+.-]*:\/\//i, '');
  const slash = filled.indexOf('/');
  const host = slash < 0 ? filled : filled.slice(0, slash);
  return { host: host.replace(/:\d*$/, ''), path: slash < 0 ? '' : filled.slice(slash) };
}
