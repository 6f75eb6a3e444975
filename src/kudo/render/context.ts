import type { Json } from '../../kube/object.ts';
import { valuesFor } from '../parameters/values-for.ts';
import type { OperatorVersion } from '../resources/operator-version.ts';
import type { Place } from './place.ts';

/** Reading a map of parameters takes longer than rendering a template; accepted parameters are never changed in place. */
const values = new WeakMap<Place['parameters'], { readonly version: OperatorVersion; readonly values: Params }>();

type Params = Readonly<Record<string, Json>>;

function paramsOf({ operatorVersion, parameters }: Place): Params {
  const known = values.get(parameters);
  if (known?.version === operatorVersion) return known.values;
  const found = valuesFor(operatorVersion, parameters);
  values.set(parameters, { version: operatorVersion, values: found });
  return found;
}

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
    Params: paramsOf(place),
    Pipes: { ...place.pipes },
  };
}
