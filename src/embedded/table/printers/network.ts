import { isIPv6 } from 'node:net';
import type { AnyObject } from '../../../kube/object.ts';
import type { Printer } from '../../resource.ts';
import { age } from '../age.ts';
import { printer } from '../columns.ts';
import { at, count, list, record, text } from '../fields.ts';
import { formatLabels, formatSelector } from '../selector.ts';

const name = (object: AnyObject): string => object.metadata.name ?? '';
const created = (object: AnyObject, now: number): string => age(object.metadata.creationTimestamp, now);

/** Up to three of them, and how many more there are. */
function few(all: readonly string[]): string {
  const shown = all.slice(0, 3).join(',');
  return all.length > 3 ? `${shown} + ${all.length - 3} more...` : shown;
}

const service = printer('Name | Type | Cluster-IP | External-IP | Port(s) | Age | Selector+', (object, now) => [
  name(object),
  text(object, 'spec.type'),
  String(list(object, 'spec.clusterIPs')[0] ?? '<none>'),
  externalIp(object),
  list(object, 'spec.ports').map(servicePort).join(',') || '<none>',
  created(object, now),
  formatLabels(record(object, 'spec.selector')),
]);

function servicePort(port: unknown): string {
  const nodePort = count(port, 'nodePort');
  return `${count(port, 'port')}${nodePort > 0 ? `:${nodePort}` : ''}/${text(port, 'protocol')}`;
}

function externalIp(object: AnyObject): string {
  const external = list(object, 'spec.externalIPs');
  switch (text(object, 'spec.type')) {
    case 'ClusterIP':
    case 'NodePort':
      return external.join(',') || '<none>';
    case 'LoadBalancer':
      return [...loadBalancer(object), ...external].join(',') || '<pending>';
    case 'ExternalName':
      return text(object, 'spec.externalName');
    default:
      return '<unknown>';
  }
}

function loadBalancer(object: AnyObject): readonly string[] {
  const found = list(object, 'status.loadBalancer.ingress').map((each) => text(each, 'ip') || text(each, 'hostname'));
  return [...new Set(found.filter((each) => each !== ''))].sort();
}

const endpoints = printer('Name | Endpoints | Age', (object, now) => {
  const all = list(object, 'subsets').flatMap((subset) => {
    const addresses = list(subset, 'addresses').map((each) => text(each, 'ip'));
    const ports = list(subset, 'ports').map((each) => count(each, 'port'));
    if (ports.length === 0) return addresses;
    return ports.flatMap((port) => addresses.map((ip) => `${isIPv6(ip) ? `[${ip}]` : ip}:${port}`));
  });
  return [name(object), list(object, 'subsets').length === 0 ? '<none>' : few(all), created(object, now)];
});

const endpointSlice = printer('Name | AddressType | Ports | Endpoints | Age', (object, now) => [
  name(object),
  text(object, 'addressType'),
  few(list(object, 'ports').map((port) => String(at(port, 'port') ?? at(port, 'name') ?? '*'))) || '<unset>',
  few(list(object, 'endpoints').flatMap((each) => list(each, 'addresses').map(String))) || '<unset>',
  created(object, now),
]);

const ingress = printer('Name | Class | Hosts | Address | Ports | Age', (object, now) => [
  name(object),
  text(object, 'spec.ingressClassName') || '<none>',
  hosts(object),
  loadBalancer(object).join(','),
  list(object, 'spec.tls').length > 0 ? '80, 443' : '80',
  created(object, now),
]);

function hosts(object: AnyObject): string {
  const rules = list(object, 'spec.rules');
  const named = rules.map((rule) => text(rule, 'host')).filter((host) => host !== '');
  if (named.length === 0) return '*';
  const third = rules.findIndex((_, index) => rules.slice(0, index + 1).filter((r) => text(r, 'host')).length === 3);
  // Rules after the third host count as "more", whether they name a host or not.
  const more = third >= 0 && rules.length > third + 1;
  return more ? `${named.slice(0, 3).join(',')} + ${rules.length - 3} more...` : named.slice(0, 3).join(',');
}

const ingressClass = printer('Name | Controller | Parameters | Age', (object, now) => {
  const isDefault = object.metadata.annotations?.['ingressclass.kubernetes.io/is-default-class'] === 'true';
  const parameters = at(object, 'spec.parameters');
  const group = text(parameters, 'apiGroup');
  return [
    isDefault ? `${name(object)} (default)` : name(object),
    text(object, 'spec.controller'),
    parameters ? `${text(parameters, 'kind')}${group && `.${group}`}/${text(parameters, 'name')}` : '<none>',
    created(object, now),
  ];
});

const networkPolicy = printer('Name | Pod-Selector | Age', (object, now) => [
  name(object),
  formatSelector(at(object, 'spec.podSelector')),
  created(object, now),
]);

export const networkPrinters: Readonly<Record<string, Printer>> = {
  '/Service': service,
  '/Endpoints': endpoints,
  'discovery.k8s.io/EndpointSlice': endpointSlice,
  'networking.k8s.io/Ingress': ingress,
  'networking.k8s.io/IngressClass': ingressClass,
  'networking.k8s.io/NetworkPolicy': networkPolicy,
};
