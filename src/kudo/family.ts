import type { AnyObject, KubeObject } from '../kube/object.ts';
import type { Family, FamilyProblem, Surroundings } from '../portrait/family.ts';
import { crd } from '../schema/crd.ts';
import { fieldErrorText } from '../schema/field-error.ts';
import { admit } from './decide/admit/admit.ts';
import { referenceOf } from './decide/admit/reference.ts';
import { kudoWorkloads } from './portrait/kudo-workloads.ts';
import { kudoKinds } from './resources/all.ts';
import { type Instance, instance } from './resources/instance.ts';
import { type OperatorVersion, operatorVersion } from './resources/operator-version.ts';

/** What a cluster must know before it can hold KUDO's resources. */
export function definitions(): readonly AnyObject[] {
  return kudoKinds.map((kind) => ({ ...crd(kind) }));
}

/** KUDO's resources, for command line and admission. */
export const kudoFamily: Family = {
  name: 'kudo',
  kinds: kudoKinds.map((kind) => ({ type: kind.type, definition: { ...crd(kind) } })),
  validate,
  workloads: kudoWorkloads,
  commands: [],
};

/** The shape of an object and, of an Instance, whether it could be created beside the OperatorVersion that it names. */
function validate(object: KubeObject, around: Surroundings): readonly FamilyProblem[] {
  const kind = kudoKinds.find(({ apiVersion, type }) => apiVersion === object.apiVersion && type.kind === object.kind);
  const errors = kind?.validate(object) ?? [];
  if (errors.length > 0 || kind !== instance) {
    return errors.map((error) => ({ field: error.path, rule: error.reason, message: fieldErrorText(error) }));
  }
  return refusalOf(object as unknown as Instance, around);
}

function refusalOf({ metadata, spec }: Instance, around: Surroundings): readonly FamilyProblem[] {
  const { namespace = 'default', name = '' } = metadata;
  const { namespace: elsewhere = namespace, name: wanted = '' } = referenceOf(spec.operatorVersion);
  const found = around.find(operatorVersion.type, elsewhere, wanted);
  if (found === 'unknown') return [];
  const verdict = admit({
    name: { namespace, name },
    after: spec,
    deleting: metadata.deletionTimestamp !== undefined,
    versions: found === 'absent' ? {} : { after: found as unknown as OperatorVersion },
    request: { is: 'none' },
  });
  if (verdict.is !== 'refused') return [];
  const field = verdict.reason === 'InvalidParametersOnCreate' ? 'spec.parameters' : 'spec.operatorVersion';
  return [{ field, rule: verdict.reason, message: `${field}: ${verdict.message}` }];
}
