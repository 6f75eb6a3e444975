import type { AnyObject } from '../../kube/object.ts';
import { flinkOptions } from '../config/flink-options.ts';
import { operatorOptions } from '../config/operator-options.ts';
import { read } from '../config/option.ts';
import type { FlinkDeploymentSpec } from '../resources/flink-deployment.ts';
import type { Blueprint } from './blueprint.ts';
import { metadata, ownedByResource } from './metadata.ts';

/** The Ingress of a cluster; undefined when none is asked for, or Ingresses are not managed here. */
export function ingress(blueprint: Blueprint): AnyObject | undefined {
  const { plan, settings, config } = blueprint;
  const { name, namespace } = plan.owner;
  const { ingress: wanted } = plan.spec;
  if (!wanted?.template || !read(settings, operatorOptions.ingressManage)) return undefined;
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: metadata(blueprint, {
      name,
      owner: ownedByResource(blueprint, true),
      labels: { ...wanted.labels, component: 'ingress' },
      annotations: wanted.annotations ?? {},
    }),
    spec: ingressRules(wanted, ingressAddress(wanted.template, { name, namespace }), {
      cluster: name,
      port: read(config, flinkOptions.restPort),
    }),
  };
}

/** The spec of an Ingress whose one rule leads to the REST service of a cluster. */
export function ingressRules(
  { className, tls }: NonNullable<FlinkDeploymentSpec['ingress']>,
  { host, path }: IngressAddress,
  to: { readonly cluster: string; readonly port: number },
): object {
  const service = { name: `${to.cluster}-rest`, port: { number: to.port } };
  return {
    ...(className && { ingressClassName: className }),
    rules: [
      {
        ...(host && { host }),
        http: { paths: [{ ...(path && { path }), pathType: 'ImplementationSpecific', backend: { service } }] },
      },
    ],
    ...(tls?.length && { tls }),
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
export function ingressAddress(
  template: string,
  of: { readonly name: string; readonly namespace: string },
): IngressAddress {
  const filled = template
    .trim()
    .replaceAll(/\{\{name\}\}/gi, () => of.name)
    .replaceAll(/\{\{namespace\}\}/gi, () => of.namespace)
    .replace(/^[a-z][a-z\d+.-]*:\/\//i, '');
  const slash = filled.indexOf('/');
  const host = slash < 0 ? filled : filled.slice(0, slash);
  return { host: host.replace(/:\d*$/, ''), path: slash < 0 ? '' : filled.slice(slash) };
}
