import { forbiddenValue, invalidValue } from '../../schema/field-error.ts';
import type { FieldError } from '../../status-error.ts';
import { same } from '../checks.ts';
import type { Container, PodSpec } from '../objects/pod.ts';

const changeable = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
].join(',');

/**
 * What is wrong with changing a pod's specification: almost everything. Images may change, a deadline may shrink,
 * tolerations may be added, scheduling gates removed, and while there are gates, node selectors narrowed. The node of a
 * pod is not for an update to change: that is what `pods/binding` is for.
 */
export function validatePodUpdate(after: PodSpec, before: PodSpec): readonly FieldError[] {
  const wrong: FieldError[] = [];
  for (const list of ['containers', 'initContainers'] as const) {
    if ((after[list] ?? []).length !== (before[list] ?? []).length) {
      return [forbiddenValue(`spec.${list}`, 'pod updates may not add or remove containers')];
    }
  }
  const [deadline, old] = [after.activeDeadlineSeconds, before.activeDeadlineSeconds];
  if (deadline !== undefined && old !== undefined && deadline > old) {
    const detail = 'must be less than or equal to previous value';
    return [invalidValue('spec.activeDeadlineSeconds', deadline, detail)];
  }
  if (deadline === undefined && old !== undefined) {
    const detail = 'must not update from a positive integer to nil value';
    wrong.push(invalidValue('spec.activeDeadlineSeconds', null, detail));
  }
  const kept = before.tolerations ?? [];
  if (kept.some((one) => !(after.tolerations ?? []).some((other) => same(one, other)))) {
    const detail = 'existing toleration can not be modified except its tolerationSeconds';
    wrong.push(forbiddenValue('spec.tolerations', detail));
  }
  const gates = (before.schedulingGates ?? []).map((gate) => gate.name);
  for (const [index, gate] of (after.schedulingGates ?? []).entries()) {
    if (gates.includes(gate.name)) continue;
    const detail = `only deletion is allowed, but found new scheduling gate '${gate.name}'`;
    wrong.push(forbiddenValue(`spec.schedulingGates[${index}].name`, detail));
  }
  const isGated = gates.length > 0;
  if (isGated && !includesAll(after.nodeSelector, before.nodeSelector)) {
    const detail = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)';
    wrong.push(invalidValue('spec.nodeSelector', after.nodeSelector ?? null, detail));
  }
  if (wrong.length === 0 && !same(frozenPart(after, before), frozenPart(before, before))) {
    wrong.push(forbiddenValue('spec', `pod updates may not change fields other than ${changeable}`));
  }
  return wrong;
}

type Labels = Readonly<Record<string, string>> | undefined;

const includesAll = (after: Labels, before: Labels): boolean =>
  Object.entries(before ?? {}).every(([key, value]) => after?.[key] === value);

/** The specification without what may change. */
function frozenPart(spec: PodSpec, before: PodSpec): object {
  const { activeDeadlineSeconds, tolerations, schedulingGates, terminationGracePeriodSeconds: grace, ...rest } = spec;
  const withoutImage = ({ image, ...container }: Container): object => container;
  const impatient = grace === 1 && (before.terminationGracePeriodSeconds ?? 0) < 0;
  return {
    ...rest,
    ...((before.schedulingGates ?? []).length > 0 && { nodeSelector: undefined }),
    grace: impatient ? before.terminationGracePeriodSeconds : grace,
    containers: (spec.containers ?? []).map(withoutImage),
    initContainers: (spec.initContainers ?? []).map(withoutImage),
  };
}
