import { describe, expect, it } from 'vitest';
import { stamped } from '../../../control/actions/apply.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { placeOf } from '../../render/place.fixture.ts';
import { thingId } from '../view.ts';
import { runChild } from './child.ts';

const version = { apiVersion: 'kudo.dev/v1beta1', kind: 'OperatorVersion', name: 'child-0.1.0' };
const child = {
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'Instance',
  metadata: { name: 'one-child', namespace: 'default' },
  spec: { operatorVersion: { name: 'child-0.1.0' } },
} as KubeObject;

/** The child as it was applied, with more on it. */
function look(spec: object, status: object): string {
  const applied = stamped(child);
  const object = {
    ...applied,
    metadata: { ...applied.metadata, generation: 2 },
    spec: { ...(applied.spec as object), ...spec },
    status: { planStatus: {}, observedGeneration: 2, ...status },
  };
  const known = { is: 'known', namespaced: true, watched: true } as const;
  const world = {
    [thingId(version)]: { ...known, object: { ...applied, kind: 'OperatorVersion' } },
    'kudo.dev/v1beta1 Instance one-child': { ...known, object },
  };
  const around = { world, outcomes: {}, now: 0, restarting: { executionUid: 'e' } };
  const { is, message, failure } = runChild({ name: 'child', place: placeOf(), does: 'child', child, version }, around);
  return failure ? `${failure.fatal ? 'fatal' : 'transient'}: ${failure.message}` : `${is} ${message ?? ''}`.trim();
}

describe('a child that is being deleted', () => {
  const looked = (owners: readonly string[]) => {
    const references = owners.map((uid) => {
      return { apiVersion: 'kudo.dev/v1beta1', kind: 'Instance', name: 'st', uid };
    });
    const metadata = { ...child.metadata, deletionTimestamp: '2026-01-01T00:00:00Z', ownerReferences: references };
    const known = { is: 'known', namespaced: true, watched: true } as const;
    const world = {
      [thingId(version)]: { ...known, object: { ...stamped(child), kind: 'OperatorVersion' } },
      'kudo.dev/v1beta1 Instance one-child': { ...known, object: { ...stamped(child), metadata } },
    };
    const around = { world, outcomes: {}, now: 0, restarting: { executionUid: 'e' } };
    return runChild({ name: 'child', place: placeOf(), does: 'child', child, version }, around);
  };

  it('tells its owner when it is gone', () => {
    expect(looked(['instance-uid'])).toMatchObject({ is: 'working', unwatched: false });
  });

  it('is looked at again if it tells nobody', () => {
    expect(looked([])).toMatchObject({ is: 'working', unwatched: true });
  });
});

const refusing = {
  conditions: [{ type: 'Accepted', status: 'False', reason: 'InvalidParameters', message: 'no integer' }],
};

describe('a child', () => {
  it('that refuses what it was given keeps its parent trying', () => {
    expect(look({}, refusing)).toBe('transient: no integer');
  });

  it('that refused what it had before is waited for', () => {
    expect(look({}, { ...refusing, observedGeneration: 1 })).toBe(
      'working instance "one-child" has not been looked at yet',
    );
  });

  it('that declined a plan which somebody asked it for is no hindrance', () => {
    const declined = { type: 'Accepted', status: 'False', reason: 'UnknownPlan', message: 'no such plan' };
    const letter = { planName: 'nosuch', declined: true };
    expect(look({ planExecution: { planName: 'nosuch' } }, { letter, conditions: [declined] })).toBe('done');
  });

  it('whose plan was cancelled fails the plan of its parent', () => {
    const history = [{ cause: 'install', plan: 'deploy', outcome: 'CANCELED' }];
    expect(look({}, { history })).toBe('fatal: instance "one-child": plan deploy ended in CANCELED');
  });
});
