import { describe, expect, it } from 'vitest';
import type { AnyObject, KubeObject } from '../../kube/object.ts';
import { at } from '../graph/workload.ts';
import { annotations } from '../keys.ts';
import { type Around, type Enhanced, enhance } from './enhance.ts';
import { readingFirst } from './hash/reading-first.ts';
import { placeOf } from './place.fixture.ts';
import type { Place } from './place.ts';

const labels = { heritage: 'kudo', 'kudo.dev/operator': 'beta', 'kudo.dev/instance': 'st' };
const place = placeOf();
const quiet = { executionUid: 'e2' };
const forced = { executionUid: 'e2', restartUID: 'e2' };
const nobody: Around = { namespaced: true, dependencies: () => undefined };

const container = { name: 'app', image: 'app:1' };

function workload(kind: string, template: object = { spec: { containers: [container] } }): AnyObject {
  const apiVersion = { CronJob: 'batch/v1', Job: 'batch/v1', ReplicationController: 'v1' }[kind] ?? 'apps/v1';
  const spec = kind === 'CronJob' ? { jobTemplate: { spec: { template } } } : { template };
  return { apiVersion, kind, metadata: { name: 'st-node' }, spec };
}

const templatePath = (kind: string) =>
  kind === 'CronJob' ? ['spec', 'jobTemplate', 'spec', 'template'] : ['spec', 'template'];

/** What stands on the pod template after enhancing. */
const onTemplate = (object: KubeObject) => at(object, [...templatePath(object.kind), 'metadata', 'annotations']);

const live = (enhanced: Enhanced): AnyObject => {
  const object = structuredClone(enhanced.object) as AnyObject;
  return { ...object, metadata: { ...object.metadata, uid: 'object-uid', resourceVersion: '7', generation: 1 } };
};

/** Applies an object once, and again. */
function twice(first: AnyObject, second: AnyObject, restarting: typeof quiet, at: Place = place): Enhanced {
  const before = live(enhance(first, at, { executionUid: 'e1', restartUID: 'e1' }, nobody));
  return enhance(second, at, restarting, { ...nobody, live: before });
}

describe('an enhanced object', () => {
  const configMap = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'st-conf', namespace: 'elsewhere', labels: { mine: 'yes', heritage: 'other' } },
    data: { a: '1' },
  };

  it('has its labels, its place in the plan, its namespace and its owner', () => {
    const { object } = enhance(configMap, place, quiet, nobody);
    const { [annotations.lastApplied]: applied, ...rest } = object.metadata.annotations ?? {};
    expect({ ...object, metadata: { ...object.metadata, annotations: rest } }).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: 'st-conf',
        namespace: 'here',
        labels: { mine: 'yes', ...labels },
        annotations: {
          [annotations.plan]: 'deploy',
          [annotations.phase]: 'run',
          [annotations.step]: 'node',
          [annotations.operatorVersion]: '0.1.0',
          [annotations.planUid]: 'e2',
        },
        ownerReferences: [
          {
            apiVersion: 'kudo.dev/v1beta1',
            kind: 'Instance',
            name: 'st',
            uid: 'instance-uid',
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
      data: { a: '1' },
    });
    expect(JSON.parse(applied ?? '')).toEqual({ ...object, metadata: { ...object.metadata, annotations: rest } });
  });

  it('has neither namespace nor owner when its kind has no namespace', () => {
    const role = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'r', namespace: 'x' },
    };
    const { object } = enhance(role, place, quiet, { ...nobody, namespaced: false });
    expect(object.metadata.namespace).toBeUndefined();
    expect(object.metadata.ownerReferences).toBeUndefined();
    expect(object.metadata.labels).toEqual(labels);
    expect(object.metadata.annotations?.[annotations.namespace]).toBe('here');
  });

  it('is the same when it is enhanced again, so that idle plans write nothing', () => {
    for (const object of [configMap, workload('Deployment'), workload('Job'), workload('CronJob')]) {
      for (const restarting of [quiet, forced]) {
        const first = enhance(object, place, restarting, nobody);
        const second = enhance(object, place, restarting, { ...nobody, live: live(first) });
        expect(second).toEqual({ object: first.object });
      }
    }
  });

  it('has nothing that was copied from a live object into its template', () => {
    const copied = {
      ...configMap,
      metadata: {
        ...configMap.metadata,
        uid: 'u',
        resourceVersion: '3',
        generation: 4,
        creationTimestamp: '2020-01-01T00:00:00Z',
        managedFields: [{ manager: 'kubectl' }],
        annotations: { [annotations.lastApplied]: 'old', [annotations.hashBaseline]: 'old', keep: 'me' },
      },
    };
    const { metadata } = enhance(copied, place, quiet, nobody).object;
    expect(Object.keys(metadata).sort()).toEqual(['annotations', 'labels', 'name', 'namespace', 'ownerReferences']);
    expect(metadata.annotations).toMatchObject({ keep: 'me' });
    expect(metadata.annotations?.[annotations.hashBaseline]).toBeUndefined();
    expect(metadata.annotations?.[annotations.lastApplied]).not.toBe('old');
  });

  it('never says on a Secret what is in it', () => {
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, stringData: { token: 'hunter2' } };
    const told = JSON.stringify(enhance(secret, place, quiet, nobody).object.metadata);
    expect(told).not.toContain('hunter2');
    expect(told).not.toContain(Buffer.from('hunter2').toString('base64'));
    expect(told).toContain(annotations.contentHash);
  });

  it('does not say what was applied when that does not fit into an annotation', () => {
    const large = { ...configMap, data: { a: 'x'.repeat(200 << 10) } };
    const { object } = enhance(large, place, quiet, nobody);
    expect(object.metadata.annotations?.[annotations.lastApplied]).toBeUndefined();
    expect(object.metadata.annotations?.[annotations.contentHash]).toMatch(/^[0-9a-f]{32}$/);
  });

  it.each([
    ['the live object', configMap, { ...configMap, metadata: { name: 'st-conf', ownerReferences: [foreign()] } }],
    ['its template', { ...configMap, metadata: { name: 'st-conf', ownerReferences: [foreign()] } }, undefined],
  ])('is refused when %s says that somebody else controls it', (_, object: AnyObject, found?: AnyObject) => {
    const { complaint } = enhance(object, place, quiet, { ...nobody, ...(found && { live: found }) });
    expect(complaint).toEqual({
      reason: 'TaskEnhancementError',
      message:
        'fatal error: failed to set controller reference on ConfigMap here/st-conf: it is already owned by another ' +
        'controller, Instance other; give one of the two another name',
    });
  });

  it('is not refused for owners that control nothing, nor for an Instance of its name that was deleted', () => {
    const owners = [
      { ...foreign(), controller: false },
      { ...foreign(), name: 'st', uid: 'former' },
    ];
    const found = { ...configMap, metadata: { name: 'st-conf', ownerReferences: owners } };
    expect(enhance(configMap, place, quiet, { ...nobody, live: found }).complaint).toBeUndefined();
  });

  it('keeps owners that its template names, and is owned once by the Instance', () => {
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'o-uid' };
    const again = { ...foreign(), name: 'st', uid: 'instance-uid' };
    const object = { ...configMap, metadata: { name: 'st-conf', ownerReferences: [owner, again] } };
    const { ownerReferences } = enhance(object, place, quiet, nobody).object.metadata;
    expect(ownerReferences?.map(({ uid }) => uid)).toEqual(['o-uid', 'instance-uid']);
  });

  it('survives shapes that no API server would take', () => {
    const shapes = [
      { spec: 'text' },
      { spec: { template: [] } },
      { spec: { template: { metadata: 'x', spec: 1 } } },
      { spec: null },
    ];
    for (const shape of shapes) {
      for (const kind of ['Deployment', 'StatefulSet', 'Job', 'CronJob']) {
        const object = { ...workload(kind), ...shape };
        const first = enhance(object, place, forced, nobody);
        expect(enhance(object, place, forced, { ...nobody, live: live(first) }).complaint).toBeUndefined();
        expect(at(first.object, ['spec'])).toEqual(shape.spec);
      }
    }
  });
});

function foreign() {
  return { apiVersion: 'kudo.dev/v1beta1', kind: 'Instance', name: 'other', uid: 'other-uid', controller: true };
}

const restartable = ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'ReplicationController', 'CronJob'];

describe('a workload', () => {
  it.each([...restartable, 'Job'])('of kind %s has labels on its pods', (kind) => {
    const template = { metadata: { labels: { app: 'st' } }, spec: { containers: [container] } };
    const { object } = enhance(workload(kind, template), place, quiet, nobody);
    expect(at(object, [...templatePath(kind), 'metadata', 'labels'])).toEqual({ app: 'st', ...labels });
  });

  it('has labels on the volume claims of its pods', () => {
    const object = {
      ...workload('StatefulSet'),
      spec: { template: { spec: {} }, volumeClaimTemplates: [{ metadata: { name: 'data' } }, { spec: {} }] },
    };
    expect(at(enhance(object, place, quiet, nobody).object, ['spec', 'volumeClaimTemplates'])).toEqual([
      { metadata: { name: 'data', labels } },
      { spec: {}, metadata: { labels } },
    ]);
  });

  it('does not get the labels twice, where a CronJob has no template', () => {
    const { object } = enhance(workload('CronJob'), place, quiet, nobody);
    expect(at(object, ['spec', 'template'])).toBeUndefined();
  });

  it.each(restartable)('of kind %s carries the UID of a forced execution on its template, and nothing else', (kind) => {
    const { object } = twice(workload(kind), workload(kind), forced);
    expect(onTemplate(object)).toEqual({ [annotations.planUid]: 'e2' });
  });

  it.each(restartable)('of kind %s keeps the UID of an earlier one in a quiet execution', (kind) => {
    const { object, restart } = twice(workload(kind), workload(kind), quiet);
    expect(onTemplate(object)).toEqual({ [annotations.planUid]: 'e1' });
    expect(object.metadata.annotations?.[annotations.planUid]).toBe('e2');
    expect(restart).toBeUndefined();
  });

  it.each(['Deployment', 'StatefulSet', 'DaemonSet'])('of kind %s says that it restarts and why', (kind) => {
    expect(twice(workload(kind), workload(kind), forced).restart).toEqual({
      because: 'plan execution e2 restarts pods',
    });
  });

  it.each(['ReplicaSet', 'ReplicationController', 'CronJob'])('of kind %s does not restart its pods', (kind) => {
    expect(twice(workload(kind), workload(kind), forced).restart).toBeUndefined();
  });

  it('does not restart its pods by itself when they wait for their deletion', () => {
    const object = {
      ...workload('StatefulSet'),
      spec: { updateStrategy: { type: 'OnDelete' }, template: { spec: {} } },
    };
    const { object: applied, restart } = twice(object, object, forced);
    expect(onTemplate(applied)).toEqual({ [annotations.planUid]: 'e2' });
    expect(restart).toBeUndefined();
  });

  it('restarts by itself when its own template changes, also in a quiet execution', () => {
    const changed = workload('Deployment', { spec: { containers: [{ ...container, image: 'app:2' }] } });
    const { object, restart } = twice(workload('Deployment'), changed, quiet);
    expect(onTemplate(object)).toEqual({ [annotations.planUid]: 'e1' });
    expect(restart).toEqual({ because: 'its pod template changes: spec.containers[app].image' });
  });

  it('gives both reasons when there are two', () => {
    const changed = workload('Deployment', { spec: { containers: [{ ...container, image: 'app:2' }] } });
    expect(twice(workload('Deployment'), changed, forced).restart?.because).toBe(
      'plan execution e2 restarts pods; its pod template changes: spec.containers[app].image',
    );
  });

  it('does not restart for a change outside of its template', () => {
    const scaled = {
      ...workload('StatefulSet'),
      spec: { replicas: 5, template: { spec: { containers: [container] } } },
    };
    expect(twice(workload('StatefulSet'), scaled, quiet).restart).toBeUndefined();
  });

  it('has no UID when a quiet execution creates it', () => {
    expect(onTemplate(enhance(workload('Deployment'), place, quiet, nobody).object)).toBeUndefined();
  });

  it('keeps the annotations of its template, apart from ours', () => {
    const template = { metadata: { annotations: { own: 'yes', [annotations.plan]: 'copied' } }, spec: {} };
    const { object } = enhance(workload('Deployment', template), place, forced, nobody);
    expect(onTemplate(object)).toEqual({ own: 'yes', [annotations.planUid]: 'e2' });
  });

  it('leaves what others put on the live template to them', () => {
    const before = live(enhance(workload('Deployment'), place, forced, nobody));
    const restartedAt = { 'kubectl.kubernetes.io/restartedAt': 'yesterday' };
    const found = {
      ...before,
      spec: {
        template: { ...Object(at(before, ['spec', 'template'])), metadata: { labels, annotations: restartedAt } },
      },
    };
    const { object, restart } = enhance(workload('Deployment'), place, quiet, { ...nobody, live: found });
    expect(onTemplate(object)).toBeUndefined();
    expect(restart).toBeUndefined();
  });
});

describe('a Job', () => {
  const changed = workload('Job', { spec: { containers: [{ ...container, image: 'app:2' }] } });

  it('never has a UID on its template, for it could not be changed later', () => {
    expect(onTemplate(enhance(workload('Job'), place, forced, nobody).object)).toBeUndefined();
    expect(onTemplate(twice(workload('Job'), workload('Job'), forced).object)).toBeUndefined();
  });

  it('keeps on its template what KUDO wrote there', () => {
    const nestedByKudo = { [annotations.operatorVersion]: '0.1.0' };
    const found = workload('Job', {
      metadata: { labels, annotations: nestedByKudo },
      spec: { containers: [container] },
    });
    const { object, complaint } = enhance(workload('Job'), place, forced, { ...nobody, live: found });
    expect(complaint).toBeUndefined();
    expect(onTemplate(object)).toEqual(nestedByKudo);
  });

  it('is refused, with the way out, when its template changes', () => {
    expect(twice(workload('Job'), changed, quiet).complaint).toEqual({
      reason: 'ResourceValidationError',
      message:
        'fatal error: Job here/st-node exists, and its pod template cannot be changed: spec.containers[app].image; ' +
        'delete it by a Delete task before this one, or let its name change with its content',
    });
  });

  it('may change in all else', () => {
    const object = { ...workload('Job'), spec: { ...Object(workload('Job').spec), ttlSecondsAfterFinished: 5 } };
    expect(twice(workload('Job'), object, quiet).complaint).toBeUndefined();
  });
});

describe('a Pod', () => {
  it('is a top-level object like any other', () => {
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers: [container] } };
    const { object } = enhance(pod, place, forced, nobody);
    expect(object.metadata.annotations?.[annotations.planUid]).toBe('e2');
    expect(object.metadata.labels).toEqual(labels);
    expect(at(object, ['spec'])).toEqual(pod.spec);
  });
});

describe('objects of KUDO', () => {
  const template = { metadata: { labels: { app: 'st' } }, spec: { containers: [container] } };
  const layouts = {
    '0.12': {
      [annotations.plan]: 'deploy',
      [annotations.phase]: 'run',
      [annotations.step]: 'node',
      [annotations.operatorVersion]: '0.1.0',
      [annotations.planUid]: 'old',
    },
    '0.13': { [annotations.operatorVersion]: '0.1.0', [annotations.dependenciesHash]: 'ab'.repeat(16) },
  };

  it.each(Object.entries(layouts))('of the time of %s are adopted without a restart', (_, nested) => {
    for (const kind of restartable) {
      const rendered = workload(kind, template);
      const metadata = { labels: { app: 'st', ...labels }, annotations: nested };
      const defaulted = { ...container, resources: {}, terminationMessagePath: '/dev/termination-log' };
      const found = workload(kind, { metadata, spec: { containers: [defaulted], restartPolicy: 'Always' } });
      const { object, restart } = enhance(rendered, place, quiet, { ...nobody, live: found });
      expect(onTemplate(object)).toEqual(nested);
      expect(restart).toBeUndefined();
    }
  });
});

describe('restartPolicy onDependencyChange', () => {
  const at = placeOf({ restartPolicy: 'onDependencyChange' });
  const volumes = [{ name: 'conf', configMap: { name: 'st-conf' } }];
  const template = { spec: { containers: [container], volumes } };
  const conf = (text: string) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'st-conf' },
    data: { a: text },
  });
  const deployed = (text: string, found: AnyObject | undefined, restarting: typeof quiet) =>
    enhance(workload('StatefulSet', template), at, restarting, {
      namespaced: true,
      dependencies: readingFirst([conf(text)], at, () => undefined),
      ...(found && { live: found }),
    });

  it('restarts pods when what they read changed, unless the change is a quiet one', () => {
    const first = deployed('1', undefined, forced);
    expect(onTemplate(first.object)).toMatchObject({ [annotations.dependenciesHash]: expect.any(String) });
    expect(
      deployed('1', live(first), { executionUid: 'e3', restartUID: 'e3' } as typeof quiet).restart,
    ).toBeUndefined();
    expect(deployed('2', live(first), quiet).restart).toBeUndefined();
    const second = deployed('2', live(first), forced);
    expect(second.restart).toEqual({ because: 'ConfigMap st-conf changed, which its pods read' });
    expect(onTemplate(second.object)).not.toEqual(onTemplate(first.object));
    expect(deployed('2', live(second), forced)).toEqual({ object: second.object });
  });

  it('restarts them later when a quiet change held it back', () => {
    const first = deployed('1', undefined, forced);
    const held = deployed('2', live(first), quiet);
    expect(deployed('2', live(held), forced).restart).toBeDefined();
  });

  it('gives the same hash whether the content is applied by the same task or was applied before', () => {
    const applied = live(enhance(conf('1'), at, quiet, nobody));
    const before = enhance(workload('StatefulSet', template), at, forced, {
      namespaced: true,
      dependencies: () => applied,
    });
    expect(onTemplate(before.object)).toEqual(onTemplate(deployed('1', undefined, forced).object));
  });
});
