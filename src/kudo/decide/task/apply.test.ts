import { describe, expect, it } from 'vitest';
import { type Action, noVersion } from '../../../control/decision.ts';
import { actionDigest, type Outcomes, outcomeId } from '../../../control/outcome.ts';
import type { AnyObject, KubeObject } from '../../../kube/object.ts';
import { enhance } from '../../render/enhance.ts';
import { placeOf } from '../../render/place.fixture.ts';
import type { OperatorVersionSpec } from '../../resources/operator-version.ts';
import { refOf, type Thing, thingId, type World } from '../view.ts';
import { runApply } from './apply.ts';
import { stored } from './pipe.fixture.ts';
import type { Surroundings } from './run.ts';

const conf: AnyObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'conf' }, data: { a: 'new' } };
const set: AnyObject = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'node' },
  spec: {
    replicas: 1,
    template: {
      spec: {
        containers: [{ name: 'main', image: 'app' }],
        volumes: [
          { name: 'conf', configMap: { name: 'conf' } },
          { name: 'key', secret: { secretName: 'key' } },
        ],
      },
    },
  },
};

const known = (object?: AnyObject, more: Partial<Thing> = {}): Thing =>
  ({ is: 'known', namespaced: true, watched: true, ...(object && { object }), ...more }) as Thing;

/** As an execution before left it. */
const earlier = (object: KubeObject): AnyObject => {
  const restarting = { executionUid: 'execution-1', restartUID: 'execution-1' };
  const around = { namespaced: true, dependencies: () => undefined };
  return stored(enhance(object, placeOf(), restarting, around).object, `${object.kind}-uid`);
};

interface Case {
  readonly objects?: readonly AnyObject[];
  readonly world?: World;
  readonly outcomes?: Outcomes;
  readonly spec?: OperatorVersionSpec;
}

function applied({ objects = [conf, set], world = {}, outcomes = {}, spec }: Case) {
  const live = Object.fromEntries(objects.map((object) => [thingId(refOf(object)), known(earlier(object))]));
  const around: Surroundings = {
    world: { ...live, ...world },
    restarting: { executionUid: 'execution-2', restartUID: 'execution-2' },
    outcomes,
    now: 10_000,
  };
  const place = placeOf(spec);
  const result = runApply({ name: 'apply', place, does: 'apply', objects, warnings: [] }, around);
  const sent = result.actions.map((action) => (action.do === 'apply' ? action.object.kind : action.do));
  return { ...result, sent };
}

const confId = thingId(refOf(conf));

describe('objects of one task', () => {
  it('are sent in one go', () => {
    const { is, sent, restarts } = applied({});
    expect({ is, sent }).toEqual({ is: 'working', sent: ['ConfigMap', 'StatefulSet'] });
    expect(restarts).toMatchObject([{ name: 'node' }]);
  });

  it('are written over no other version than was seen, and over nothing if none was', () => {
    const version = (action?: Action): unknown => action?.do === 'apply' && action.resourceVersion;
    const { metadata, ...rest } = earlier(conf);
    const seen = known({ ...rest, metadata: { ...metadata, resourceVersion: '7' } });
    expect(version(applied({ world: { [confId]: seen } }).actions[0])).toBe('7');
    expect(version(applied({ world: { [confId]: known() } }).actions[0])).toBe(noVersion);
  });

  it.each([
    ['waits to be sent again', 9_900, []],
    ['is sent again', 5_000, ['ConfigMap']],
  ])('are kept back behind one that was refused and %s, and nothing restarts', (_, at, again) => {
    const [action] = applied({}).actions;
    if (!action) return expect.fail('nothing was sent');
    const outcome = { result: 'refused', at, since: at, of: actionDigest(action), message: 'no' } as const;
    const { is, sent, restarts, failure } = applied({ outcomes: { [outcomeId(action)]: outcome } });
    expect({ is, sent, restarts }).toEqual({ is: 'failed', sent: again, restarts: [] });
    expect(failure).toMatchObject({ message: 'no', fatal: false });
  });

  it('are kept back behind one that could not be read', () => {
    const world: World = { [confId]: { is: 'unreadable', message: 'too many requests' } };
    expect(applied({ world })).toMatchObject({ is: 'failed', sent: [], restarts: [], unwatched: true });
  });

  it('are kept back behind one that is being deleted', () => {
    const live = earlier(conf);
    const ending = { ...live, metadata: { ...live.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
    const { is, message, sent, restarts } = applied({ world: { [confId]: known(ending) } });
    expect({ is, sent, restarts }).toEqual({ is: 'working', sent: [], restarts: [] });
    expect(message).toBe('conf is being deleted');
  });
});

describe('an object of the Instance that had this name before', () => {
  const job = (command: string): AnyObject => ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'init' },
    spec: { template: { spec: { containers: [{ name: 'main', image: 'app', command: [command] }] } } },
  });

  it('is waited for to go, though it could not be changed', () => {
    const live = earlier(job('old'));
    const [owner] = live.metadata.ownerReferences ?? [];
    if (!owner) return expect.fail('it has no owner');
    const former = { ...live, metadata: { ...live.metadata, ownerReferences: [{ ...owner, uid: 'former-uid' }] } };
    const world = { [thingId(refOf(former))]: known(former) };
    const { is, sent, message, failure } = applied({ objects: [job('new')], world });
    expect({ is, sent, failure }).toEqual({ is: 'working', sent: [], failure: undefined });
    expect(message).toBe('init of the Instance that was here before is about to go');
  });
});

describe('a workload that restarts for what its pods read', () => {
  const spec: OperatorVersionSpec = { restartPolicy: 'onDependencyChange' };
  const keyId = thingId({ apiVersion: 'v1', kind: 'Secret', name: 'key' });

  it('is sent when all of that was looked at, whether it is there or not', () => {
    expect(applied({ spec, world: { [keyId]: known() } }).sent).toEqual(['ConfigMap', 'StatefulSet']);
  });

  it('is not sent while some of it cannot be read', () => {
    const { is, sent, failure, unwatched } = applied({
      spec,
      world: { [keyId]: { is: 'unreadable', message: 'too many requests' } },
    });
    expect({ is, sent, unwatched }).toEqual({ is: 'failed', sent: ['ConfigMap'], unwatched: true });
    expect(failure).toEqual({
      reason: 'TaskExecutionError',
      message: 'Secret key, which pods of node read, could not be read: too many requests',
      fatal: false,
    });
  });
});

describe('an object of the cluster that another Instance holds', () => {
  const role = (...verbs: string[]): AnyObject => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'reader', namespace: 'anywhere' },
    rules: [{ apiGroups: [''], resources: ['pods'], verbs }],
  });
  const held = (live: AnyObject): World => {
    return { [thingId(refOf(live))]: known(earlier(live), { namespaced: false, holder: 'there/two' }) };
  };

  it('is left to it if it is as both want it', () => {
    expect(applied({ objects: [role('get')], world: held(role('get')) })).toMatchObject({ is: 'done', actions: [] });
  });

  it('is not fought over if they want it differently', () => {
    const { is, sent, failure, unwatched } = applied({ objects: [role('list')], world: held(role('get')) });
    expect({ is, sent, unwatched }).toEqual({ is: 'failed', sent: [], unwatched: true });
    expect(failure?.fatal).toBe(false);
    expect(failure?.message).toContain('reader is held by Instance there/two, and is not as this one wants it');
  });
});
