import {
  duplicateValue,
  forbiddenValue,
  invalidValue,
  requiredValue,
  unsupportedValue,
} from '../../schema/field-error.ts';
import type { FieldError } from '../../status-error.ts';
import { invalidFor } from '../checks.ts';
import { validateLabels } from '../label-selector.ts';
import { validateAnnotations } from '../object-meta.ts';
import type { PodSpec, PodTemplate, Toleration } from '../objects/pod.ts';
import { dns1123Label, dns1123Subdomain, labelKey } from '../syntax.ts';
import { validateContainer } from './validate-container.ts';
import { validateVolumes } from './validate-volumes.ts';

const restartPolicies = ['Always', 'OnFailure', 'Never'];
const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];

/** What is wrong with a pod specification. `extraVolumes` are names that a StatefulSet's claims will add. */
export function validatePodSpec(
  field: string,
  spec: PodSpec & { readonly dnsPolicy?: string },
  extraVolumes: readonly string[] = [],
): readonly FieldError[] {
  const volumes = validateVolumes(`${field}.volumes`, spec.volumes ?? []);
  const mountable = new Set([...volumes.names, ...extraVolumes]);
  const wrong: FieldError[] = [...volumes.errors];

  const names = new Set<string>();
  const containers = spec.containers ?? [];
  if (containers.length === 0) wrong.push(requiredValue(`${field}.containers`));
  for (const list of ['containers', 'initContainers'] as const) {
    for (const [index, container] of (spec[list] ?? []).entries()) {
      const at = `${field}.${list}[${index}]`;
      wrong.push(...validateContainer(at, container, mountable));
      if (list === 'initContainers' && container.restartPolicy !== 'Always') {
        wrong.push(...validatePlainInit(at, container as unknown as Readonly<Record<string, unknown>>));
      }
      if (names.has(container.name)) wrong.push(duplicateValue(`${at}.name`, container.name));
      names.add(container.name);
    }
  }

  const { restartPolicy, dnsPolicy, activeDeadlineSeconds: deadline } = spec;
  if (restartPolicy && !restartPolicies.includes(restartPolicy)) {
    wrong.push(unsupportedValue(`${field}.restartPolicy`, restartPolicy, restartPolicies));
  }
  if (dnsPolicy && !dnsPolicies.includes(dnsPolicy)) {
    wrong.push(unsupportedValue(`${field}.dnsPolicy`, dnsPolicy, dnsPolicies));
  }
  if (deadline !== undefined && (deadline < 1 || deadline > 2147483647)) {
    const detail = 'must be between 1 and 2147483647, inclusive';
    wrong.push(invalidValue(`${field}.activeDeadlineSeconds`, deadline, detail));
  }
  wrong.push(...validateLabels(`${field}.nodeSelector`, spec.nodeSelector));
  for (const name of ['serviceAccountName', 'nodeName', 'priorityClassName'] as const) {
    if (spec[name]) wrong.push(...invalidFor(`${field}.${name}`, spec[name], dns1123Subdomain(spec[name])));
  }
  for (const name of ['hostname', 'subdomain'] as const) {
    if (spec[name]) wrong.push(...invalidFor(`${field}.${name}`, spec[name], dns1123Label(spec[name])));
  }
  wrong.push(...validateTolerations(`${field}.tolerations`, spec.tolerations ?? []));
  return wrong;
}

/** An init container that runs to its end can be neither probed nor told of the pod's end. */
function validatePlainInit(field: string, container: Readonly<Record<string, unknown>>): readonly FieldError[] {
  return ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe']
    .filter((name) => container[name] !== undefined)
    .map((name) =>
      forbiddenValue(`${field}.${name}`, 'may not be set for init containers without restartPolicy=Always'),
    );
}

function validateTolerations(field: string, tolerations: readonly Toleration[]): readonly FieldError[] {
  return tolerations.flatMap((one, index) => {
    const at = `${field}[${index}]`;
    const wrong: FieldError[] = [];
    if (one.key) wrong.push(...invalidFor(`${at}.key`, one.key, labelKey(one.key)));
    else if (one.operator !== 'Exists') {
      const detail = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
      wrong.push(invalidValue(`${at}.operator`, one.operator ?? '', detail));
    }
    if (one.tolerationSeconds !== undefined && one.effect !== 'NoExecute') {
      const detail = "effect must be 'NoExecute' when `tolerationSeconds` is set";
      wrong.push(invalidValue(`${at}.effect`, one.effect ?? '', detail));
    }
    if (one.operator === 'Exists' && one.value) {
      wrong.push(invalidValue(`${at}.operator`, one.value, "value must be empty when `operator` is 'Exists'"));
    }
    return wrong;
  });
}

/** What is wrong with the pod template of a workload. */
export function validateTemplate(
  field: string,
  template: PodTemplate,
  extraVolumes: readonly string[] = [],
): readonly FieldError[] {
  return [
    ...validateLabels(`${field}.labels`, template.metadata?.labels),
    ...validateAnnotations(`${field}.annotations`, template.metadata?.annotations),
    ...validatePodSpec(`${field}.spec`, template.spec ?? { containers: [] }, extraVolumes),
  ];
}
