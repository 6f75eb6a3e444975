import type { OperatorVersion, OperatorVersionSpec } from '../resources/operator-version.ts';
import type { Place } from './place.ts';

/** A place in a plan of the Instance `st` of the operator `beta`. */
export function placeOf(spec: OperatorVersionSpec = {}, changed: Partial<Place> = {}): Place {
  const operatorVersion: OperatorVersion = {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'OperatorVersion',
    metadata: { name: 'beta-2.1-0.1.0', namespace: 'here' },
    spec: { operator: { name: 'beta' }, version: '0.1.0', appVersion: '2.1', ...spec },
  };
  return {
    instance: { name: 'st', namespace: 'here', uid: 'instance-uid' },
    operatorVersion,
    parameters: {},
    plan: 'deploy',
    phase: 'run',
    step: 'node',
    pipes: {},
    ...changed,
  };
}
