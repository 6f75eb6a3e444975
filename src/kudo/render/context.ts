import type { Json } from '../../kube/object.ts';
import { valuesFor } from '../parameters/values-for.ts';
import type { Place } from './place.ts';

/** What templates see. Errors: `ParameterError`. */
export function contextOf(place: Place): { readonly [key: string]: Json } {
  const { instance, operatorVersion, plan, phase, step } = place;
  const { spec } = operatorVersion;
  return {
    Name: instance.name,
    Namespace: instance.namespace,
    OperatorName: spec.operator?.name ?? '',
    OperatorVersion: spec.version ?? '',
    AppVersion: spec.appVersion ?? '',
    PlanName: plan,
    PhaseName: phase,
    StepName: step,
    Params: valuesFor(operatorVersion, place.parameters),
    Pipes: { ...place.pipes },
  };
}
