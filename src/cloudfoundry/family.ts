import type { AnyObject, KubeObject } from '../kube/object.ts';
import type { Family, FamilyProblem } from '../portrait/family.ts';
import { crd } from '../schema/crd.ts';
import { fieldErrorText } from '../schema/field-error.ts';
import { cloudFoundryWorkloads } from './portrait/cloud-foundry-workloads.ts';
import { cloudFoundryKinds } from './resources/all.ts';

/** What a cluster must know before it can hold Cloud Foundry's resources. */
export function definitions(): readonly AnyObject[] {
  return cloudFoundryKinds.map((kind) => ({ ...crd(kind) }));
}

/** Cloud Foundry's resources, for command line and admission. */
export const cloudFoundryFamily: Family = {
  name: 'cloudfoundry',
  kinds: cloudFoundryKinds.map((kind) => ({ type: kind.type, definition: { ...crd(kind) } })),
  validate,
  workloads: cloudFoundryWorkloads,
  commands: [],
};

/** A definition that another program installed may let through what ours refuses: the same rules hold with either. */
function validate(object: KubeObject): readonly FamilyProblem[] {
  const kind = cloudFoundryKinds.find(({ apiVersion, type }) => {
    return apiVersion === object.apiVersion && type.kind === object.kind;
  });
  const errors = kind?.validate(object) ?? [];
  return errors.map((error) => ({ field: error.path, rule: error.reason, message: fieldErrorText(error) }));
}
