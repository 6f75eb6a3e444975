import {
  duplicateValue,
  forbiddenValue,
  invalidValue,
  requiredValue,
  unsupportedValue,
} from '../../schema/field-error.ts';
import type { FieldError } from '../../status-error.ts';
import { invalidFor, nonNegative } from '../checks.ts';
import type { Container, ContainerPort, EnvVar, Probe, ProbeAction } from '../objects/pod.ts';
import { amountOf, validateResources } from '../quantity.ts';
import { configKey, dns1123Label, dns1123Subdomain, envName, portName, portNumber } from '../syntax.ts';
import { validateMounts } from './validate-volumes.ts';

export const protocols = ['SCTP', 'TCP', 'UDP'];

/** What is wrong with one container; `volumes` are the names it may mount. */
export function validateContainer(field: string, container: Container, volumes: ReadonlySet<string>): FieldError[] {
  const wrong: FieldError[] = [];
  if (!container.name) wrong.push(requiredValue(`${field}.name`));
  else wrong.push(...invalidFor(`${field}.name`, container.name, dns1123Label(container.name)));
  if (!container.image) wrong.push(requiredValue(`${field}.image`));
  wrong.push(
    ...validatePorts(`${field}.ports`, container.ports ?? []),
    ...validateEnv(`${field}.env`, container.env ?? []),
    ...validateMounts(`${field}.volumeMounts`, container.volumeMounts ?? [], volumes),
  );
  const policies = ['Always', 'IfNotPresent', 'Never'];
  if (container.imagePullPolicy && !policies.includes(container.imagePullPolicy)) {
    wrong.push(unsupportedValue(`${field}.imagePullPolicy`, container.imagePullPolicy, policies));
  }
  wrong.push(
    ...validateRequirements(`${field}.resources`, container.resources),
    ...validateProbe(`${field}.livenessProbe`, container.livenessProbe, true),
    ...validateProbe(`${field}.readinessProbe`, container.readinessProbe, false),
    ...validateProbe(`${field}.startupProbe`, container.startupProbe, true),
  );
  return wrong;
}

function validatePorts(field: string, ports: readonly ContainerPort[]): FieldError[] {
  const names = new Set<string>();
  return ports.flatMap((port, index) => {
    const at = `${field}[${index}]`;
    const wrong: FieldError[] = [];
    if (port.name) {
      const messages = portName(port.name);
      if (messages.length > 0) wrong.push(...invalidFor(`${at}.name`, port.name, messages));
      else if (names.has(port.name)) wrong.push(duplicateValue(`${at}.name`, port.name));
      names.add(port.name);
    }
    if (!port.containerPort) wrong.push(requiredValue(`${at}.containerPort`));
    else wrong.push(...invalidFor(`${at}.containerPort`, port.containerPort, portNumber(port.containerPort)));
    if (port.hostPort) wrong.push(...invalidFor(`${at}.hostPort`, port.hostPort, portNumber(port.hostPort)));
    if (!port.protocol) wrong.push(requiredValue(`${at}.protocol`));
    else if (!protocols.includes(port.protocol)) {
      wrong.push(unsupportedValue(`${at}.protocol`, port.protocol, protocols));
    }
    return wrong;
  });
}

function validateEnv(field: string, variables: readonly EnvVar[]): FieldError[] {
  return variables.flatMap((variable, index) => {
    const at = `${field}[${index}]`;
    const wrong: FieldError[] = [];
    if (!variable.name) wrong.push(requiredValue(`${at}.name`));
    else wrong.push(...invalidFor(`${at}.name`, variable.name, envName(variable.name)));
    const source = variable.valueFrom;
    if (!source) return wrong;
    const sources = Object.keys(source).length;
    for (const name of ['configMapKeyRef', 'secretKeyRef'] as const) {
      const reference = source[name];
      if (!reference) continue;
      const called = reference.name ?? '';
      wrong.push(...invalidFor(`${at}.valueFrom.${name}.name`, called, dns1123Subdomain(called)));
      if (!reference.key) wrong.push(requiredValue(`${at}.valueFrom.${name}.key`));
      else wrong.push(...invalidFor(`${at}.valueFrom.${name}.key`, reference.key, configKey(reference.key)));
    }
    if (sources === 0) {
      const all = '`fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`';
      wrong.push(invalidValue(`${at}.valueFrom`, '', `must specify one of: ${all}`));
    } else if (variable.value) {
      wrong.push(invalidValue(`${at}.valueFrom`, '', 'may not be specified when `value` is not empty'));
    } else if (sources > 1) {
      wrong.push(invalidValue(`${at}.valueFrom`, '', 'may not have more than one field specified at a time'));
    }
    return wrong;
  });
}

function validateRequirements(field: string, resources: Container['resources'] = {}): FieldError[] {
  const { limits = {}, requests = {} } = resources;
  const wrong = [...validateResources(`${field}.limits`, limits), ...validateResources(`${field}.requests`, requests)];
  for (const [name, request] of Object.entries(requests)) {
    const limit = Object.hasOwn(limits, name) ? limits[name] : undefined;
    if (limit !== undefined && (amountOf(request) ?? 0) > (amountOf(limit) ?? 0)) {
      const detail = `must be less than or equal to ${name} limit of ${limit}`;
      wrong.push(invalidValue(`${field}.requests`, request, detail));
    }
  }
  return wrong;
}

function validateProbe(field: string, probe: Probe | undefined, once: boolean): readonly FieldError[] {
  if (!probe) return [];
  const wrong = [...validateAction(field, probe)];
  for (const name of [
    'initialDelaySeconds',
    'timeoutSeconds',
    'periodSeconds',
    'successThreshold',
    'failureThreshold',
  ] as const) {
    wrong.push(...nonNegative(`${field}.${name}`, probe[name]));
  }
  const grace = probe.terminationGracePeriodSeconds;
  if (grace !== undefined && grace <= 0) {
    wrong.push(invalidValue(`${field}.terminationGracePeriodSeconds`, grace, 'must be greater than 0'));
  }
  if (once && probe.successThreshold !== undefined && probe.successThreshold !== 1) {
    wrong.push(invalidValue(`${field}.successThreshold`, probe.successThreshold, 'must be 1'));
  }
  return wrong;
}

function validateAction(field: string, action: ProbeAction): readonly FieldError[] {
  const given = (['exec', 'httpGet', 'tcpSocket', 'grpc'] as const).filter((name) => action[name] !== undefined);
  if (given.length === 0) return [requiredValue(field, 'must specify a handler type')];
  const wrong: FieldError[] = given
    .slice(1)
    .map((name) => forbiddenValue(`${field}.${name}`, 'may not specify more than 1 handler type'));
  if (action.exec && (action.exec.command ?? []).length === 0) wrong.push(requiredValue(`${field}.exec.command`));
  for (const name of ['httpGet', 'tcpSocket', 'grpc'] as const) {
    const port = action[name]?.port;
    if (action[name] === undefined || given[0] !== name) continue;
    const messages = typeof port === 'string' ? portName(port) : portNumber(port ?? 0);
    wrong.push(...invalidFor(`${field}.${name}.port`, port ?? 0, messages));
  }
  return wrong;
}
