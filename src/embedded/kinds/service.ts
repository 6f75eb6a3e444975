import { isIP } from 'node:net';
import type { AnyObject } from '../../kube/object.ts';
import type { Draft, Strategy, StrategyContext } from '../resource.ts';
import {
  duplicateValue,
  forbiddenValue,
  invalidValue,
  requiredValue,
  unsupportedValue,
} from '../schema/field-error.ts';
import type { Fields } from '../schema/json.ts';
import type { FieldError } from '../status-error.ts';
import { invalidFor } from './checks.ts';
import { each, fields, fill, fillEmpty, inside, keep } from './draft.ts';
import { validateLabels } from './label-selector.ts';
import { validateBuiltIn } from './object-meta.ts';
import type { Service, ServicePort } from './objects/cluster.ts';
import { protocols } from './pod/validate-container.ts';
import { clusterAddress, nodePort } from './service-addresses.ts';
import { dns1123Label, dns1123Subdomain, portName, portNumber } from './syntax.ts';

const asService = (object: AnyObject): Service => object as unknown as Service;
const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const reachable = (type: unknown): boolean => type === 'NodePort' || type === 'LoadBalancer';

/** Services. Addresses and node ports are allotted on create from what no other Service holds, and stay. */
export const serviceStrategy: Strategy = {
  defaults(draft) {
    const spec = inside(draft, 'spec');
    if (!spec) return;
    fillEmpty(spec, { sessionAffinity: 'None', type: 'ClusterIP' });
    if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
    if (spec.sessionAffinity === 'ClientIP') {
      const config = inside(spec, 'sessionAffinityConfig');
      fill(config && inside(config, 'clientIP'), { timeoutSeconds: 10800 });
    }
    for (const port of each(spec.ports)) fillEmpty(port, { protocol: 'TCP', targetPort: port.port });
    if (reachable(spec.type)) fillEmpty(spec, { externalTrafficPolicy: 'Cluster' });
    if (spec.type !== 'ExternalName') fill(spec, { internalTrafficPolicy: 'Cluster' });
    if (spec.type === 'LoadBalancer') fill(spec, { allocateLoadBalancerNodePorts: true });
  },
  prepareForCreate(draft, context) {
    draft.status = { loadBalancer: {} };
    allot(draft, undefined, context);
  },
  prepareForUpdate(draft, before, context) {
    keep(draft, before, 'status');
    allot(draft, asService(before), context);
  },
  validate(object, before) {
    const { spec } = asService(object);
    return [
      ...validateBuiltIn(object, before, dns1123Label),
      ...(before ? validateAddressKept(asService(object), asService(before)) : []),
      ...validateSpec(spec),
      ...(before ? [] : validateAddress(spec)),
    ];
  },
  exclusive: (object, context) => takenByOthers(asService(object), context),
  fields: (object) => ({
    'spec.clusterIP': asService(object).spec.clusterIP ?? '',
    'spec.type': asService(object).spec.type ?? '',
  }),
};

/** What the server decides: addresses, families and node ports. What a Service already has, it keeps. */
function allot(draft: Draft, before: Service | undefined, context: StrategyContext): void {
  const spec = fields(draft.spec);
  if (!spec) return;
  if (spec.type === 'ExternalName') {
    for (const name of ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy']) delete spec[name];
    return;
  }
  const others = context.all('', 'services') as unknown as readonly Service[];
  const own = before?.spec.type === 'ExternalName' ? undefined : before?.spec;
  const first = Array.isArray(spec.clusterIPs) ? spec.clusterIPs[0] : undefined;
  spec.clusterIP ||= first ?? own?.clusterIP ?? clusterAddress(others, context.random);
  if (!first || !before) spec.clusterIPs = [spec.clusterIP];
  if (spec.clusterIP === 'None' && !spec.selector && !own) {
    // Whoever fills in the addresses of such a Service by hand may fill in any.
    fill(spec, { ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: 'RequireDualStack' });
  }
  fill(spec, { ipFamilies: own?.ipFamilies ?? ['IPv4'], ipFamilyPolicy: own?.ipFamilyPolicy ?? 'SingleStack' });
  if (reachable(spec.type) && spec.allocateLoadBalancerNodePorts !== false) allotNodePorts(spec, own, others, context);
  else if (own && reachable(own.type)) for (const port of each(spec.ports)) delete port.nodePort;
}

function allotNodePorts(
  spec: Fields,
  own: Service['spec'] | undefined,
  others: readonly Service[],
  context: StrategyContext,
): void {
  const taken = new Set(others.flatMap((one) => (one.spec.ports ?? []).map((port) => port.nodePort)));
  for (const port of each(spec.ports)) {
    if (port.nodePort) continue;
    const kept = own?.ports?.find((one) => one.port === port.port && one.protocol === port.protocol)?.nodePort;
    port.nodePort = kept ?? nodePort(taken, context.random);
    taken.add(port.nodePort as number);
  }
}

/** An address that someone asks for must be one, and in the range. */
function validateAddress({ clusterIP }: Service['spec']): readonly FieldError[] {
  if (!clusterIP || clusterIP === 'None') return [];
  if (isIP(clusterIP) === 0) {
    const detail = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
    return [invalidValue('spec.clusterIPs[0]', clusterIP, detail)];
  }
  if (clusterIP.startsWith('10.96.')) return [];
  const range = 'The range of valid IPs is 10.96.0.0/16';
  return [notAllocated(clusterIP, `the provided IP (${clusterIP}) is not in the valid range. ${range}`)];
}

const notAllocated = (address: string, why: string): FieldError =>
  invalidValue('spec.clusterIPs', [address], `failed to allocate IP ${address}: ${why}`);

/** An address belongs to one Service, and so does a node port, whatever its protocol. */
function takenByOthers({ metadata, spec }: Service, context: StrategyContext): readonly FieldError[] {
  const { clusterIP, ports = [] } = spec;
  const wantsAddress = clusterIP && clusterIP !== 'None';
  if (!wantsAddress && !ports.some((port) => port.nodePort)) return [];
  const all = context.all('', 'services') as unknown as readonly Service[];
  const others = all.filter((one) => one.metadata.uid !== metadata.uid);
  if (wantsAddress && others.some((one) => one.spec.clusterIP === clusterIP)) {
    return [notAllocated(clusterIP, 'provided IP is already allocated')];
  }
  const taken = new Set(others.flatMap((one) => (one.spec.ports ?? []).map((port) => port.nodePort)));
  const own = new Set<string>();
  for (const [index, { nodePort: number, protocol }] of ports.entries()) {
    if (!number) continue;
    const twice = own.has(`${protocol} ${number}`);
    own.add(`${protocol} ${number}`);
    if (!twice && !taken.has(number)) continue;
    return [invalidValue(`spec.ports[${index}].nodePort`, number, 'provided port is already allocated')];
  }
  return [];
}

function validateAddressKept(after: Service, before: Service): readonly FieldError[] {
  if (after.spec.type === 'ExternalName' || before.spec.type === 'ExternalName') return [];
  const [now, then] = [after.spec.clusterIPs ?? [], before.spec.clusterIPs ?? []];
  if (then[0] === undefined || now[0] === then[0]) return [];
  return [invalidValue('spec.clusterIPs[0]', now, 'may not change once set')];
}

function validateSpec(spec: Service['spec']): readonly FieldError[] {
  const wrong: FieldError[] = [];
  const ports = spec.ports ?? [];
  if (ports.length === 0 && spec.clusterIP !== 'None' && spec.type !== 'ExternalName') {
    wrong.push(requiredValue('spec.ports'));
  }
  if (spec.type === 'LoadBalancer' && spec.clusterIP === 'None') {
    wrong.push(invalidValue('spec.clusterIPs[0]', 'None', "may not be set to 'None' for LoadBalancer services"));
  }
  if (spec.type === 'NodePort' && spec.clusterIP === 'None') {
    wrong.push(invalidValue('spec.clusterIPs[0]', 'None', "may not be set to 'None' for NodePort services"));
  }
  if (spec.type === 'ExternalName') {
    const name = spec.externalName ?? '';
    if (name) wrong.push(...invalidFor('spec.externalName', name, dns1123Subdomain(name)));
    else wrong.push(requiredValue('spec.externalName'));
  }
  const names = new Set<string>();
  for (const [index, port] of ports.entries()) {
    wrong.push(...validatePort(`spec.ports[${index}]`, port, ports.length > 1, names));
  }
  wrong.push(...validateLabels('spec.selector', spec.selector));
  const affinities = ['ClientIP', 'None'];
  if (!affinities.includes(spec.sessionAffinity ?? '')) {
    wrong.push(unsupportedValue('spec.sessionAffinity', spec.sessionAffinity ?? '', affinities));
  }
  if (!types.includes(spec.type ?? '')) wrong.push(unsupportedValue('spec.type', spec.type ?? '', types));
  return [...wrong, ...validateDistinct(ports), ...validateNodePorts(spec, ports)];
}

function validatePort(field: string, port: ServicePort, named: boolean, names: Set<string>): readonly FieldError[] {
  const wrong: FieldError[] = [];
  if (named && !port.name) wrong.push(requiredValue(`${field}.name`));
  else if (port.name) {
    wrong.push(...invalidFor(`${field}.name`, port.name, dns1123Label(port.name)));
    if (names.has(port.name)) wrong.push(duplicateValue(`${field}.name`, port.name));
    names.add(port.name);
  }
  wrong.push(...invalidFor(`${field}.port`, port.port, portNumber(port.port)));
  if (!protocols.includes(port.protocol ?? '')) {
    wrong.push(unsupportedValue(`${field}.protocol`, port.protocol ?? '', protocols));
  }
  const target = port.targetPort;
  if (typeof target === 'string') wrong.push(...invalidFor(`${field}.targetPort`, target, portName(target)));
  else wrong.push(...invalidFor(`${field}.targetPort`, target ?? 0, portNumber(target ?? 0)));
  return wrong;
}

function validateDistinct(ports: readonly ServicePort[]): readonly FieldError[] {
  const seen = new Set<string>();
  return ports.flatMap((port, index) => {
    const key = `${port.protocol}:${port.port}`;
    if (seen.has(key)) {
      const shown = {
        Name: '',
        Protocol: port.protocol,
        AppProtocol: null,
        Port: port.port,
        TargetPort: 0,
        NodePort: 0,
      };
      const message = `Duplicate value: ${JSON.stringify(shown)}`;
      return [{ reason: 'FieldValueDuplicate', field: `spec.ports[${index}]`, message }];
    }
    seen.add(key);
    return [];
  });
}

function validateNodePorts(spec: Service['spec'], ports: readonly ServicePort[]): readonly FieldError[] {
  return ports.flatMap((port, index) => {
    const field = `spec.ports[${index}].nodePort`;
    if (!port.nodePort) return [];
    if (!reachable(spec.type)) return [forbiddenValue(field, `may not be used when \`type\` is '${spec.type}'`)];
    return port.nodePort >= 30000 && port.nodePort <= 32767
      ? []
      : [
          invalidValue(
            field,
            port.nodePort,
            'provided port is not in the valid range. The range of valid ports is 30000-32767',
          ),
        ];
  });
}
