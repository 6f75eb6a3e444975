import { annotations as control, switchedOn } from '../../control/annotations.ts';
import type { AnyObject, Json, JsonObject } from '../../kube/object.ts';
import type { PatchOperation, Steering, Verb, Write } from '../../portrait/verb.ts';
import type { Around } from '../../portrait/workload.ts';
import { beginDeployment, dropletBefore } from '../api/change/begin-deployment.ts';
import { cancelDeployment } from '../api/change/cancel-deployment.ts';
import { start } from '../api/change/start.ts';
import { stop } from '../api/change/stop.ts';
import { canRoll } from '../decide/runner/can-roll.ts';
import { labels } from '../keys.ts';
import type { StatefulSet } from '../observe/kube-shapes.ts';
import { type CfApp, cfApp } from '../resources/cf-app.ts';
import { cfDeployment } from '../resources/cf-deployment.ts';
import { revisionsOf } from '../revision.ts';
import { type Scene, sceneOf } from './scene.ts';

const refused = (why: string): Steering => ({ is: 'refused', why });

/** What can be done to an app: the same writes that the CF API makes for `cf`. */
export const appVerbs: readonly Verb[] = [
  {
    name: 'promote',
    summary: 'continue a canary: replace the other instances, too',
    request: (object, around) => {
      const { current, situation, app } = sceneOf(object, around);
      if (situation.is !== 'canary' || !current)
        return refused('No canary waits. Only a paused deployment is promoted.');
      const { record } = current;
      const { namespace = '' } = app.metadata;
      const patch: PatchOperation[] = [
        { op: 'test', path: '/metadata/uid', value: record.metadata.uid ?? '' },
        { op: 'test', path: '/spec/step', value: record.spec.step },
        { op: 'replace', path: '/spec/step', value: record.spec.step + 1 },
      ];
      return {
        is: 'writes',
        writes: [{ do: 'patch', type: cfDeployment.type, namespace, name: record.metadata.name ?? '', patch }],
        said: `The deployment goes on after step ${record.spec.step}; instances are replaced one by one.`,
      };
    },
  },
  {
    name: 'abort',
    summary: 'cancel the deployment: instances go back to the revision before',
    request: (object, around) => {
      const scene = sceneOf(object, around);
      const { situation, app } = scene;
      if (situation.is === 'returning') return refused('It was canceled already; instances are going back.');
      if (!('mark' in situation)) return refused('No deployment is under way.');
      const patch = cancelDeployment(app, situation.mark.guid);
      if (!patch) return refused('There is nothing to cancel any more.');
      const { previous } = situation.mark;
      return {
        ...written(app, patch),
        said: previous
          ? `Instances go back to revision ${previous.appRev} one by one; the app serves all the while.`
          : 'The app is stopped again, as it was before.',
        ...(!previous && {
          stake: { what: 'availability', question: 'The app did not run before: aborting stops it. Abort?' },
        }),
      };
    },
  },
  {
    name: 'restart',
    summary: 'replace all instances one by one, without downtime; --force: all at once',
    request: (object, around, { id, force }) => {
      const scene = sceneOf(object, around);
      const { app } = scene;
      if (app.metadata.deletionTimestamp !== undefined) return refused('The app is being deleted.');
      const droplet = app.spec.currentDropletRef?.name;
      if (!droplet) return refused('No droplet is assigned: push the app first.');
      if (app.spec.desiredState === 'STOPPED') return refused('The app is stopped: resume starts it.');
      if (scene.paused) return refused('It is paused, and no new revision would start: resume it first.');
      if (force) return restartedAtOnce(app);
      return rolled(scene, around, id, droplet);
    },
  },
  {
    name: 'suspend',
    summary: 'stop the app: all instances end',
    request: (object, around) => {
      const { app } = sceneOf(object, around);
      const patch = stop(app);
      if (!patch) return refused('It is stopped already.');
      return {
        ...written(app, patch),
        said: 'All instances end. The next start makes another revision.',
        stake: { what: 'availability', question: 'The app does not serve until it is resumed. Stop it?' },
      };
    },
  },
  {
    name: 'pause',
    summary: 'let the operator leave the app alone',
    request: (object, around) => {
      const { app } = sceneOf(object, around);
      if (switchedOn(app, control.paused)) return refused('It is paused already.');
      return {
        ...written(app, { metadata: { annotations: { [control.paused]: 'true' } } }),
        said: 'The operator leaves the app alone until it is resumed; what runs goes on.',
      };
    },
  },
  {
    name: 'resume',
    summary: 'start a stopped app, or end a pause',
    request: (object, around) => {
      const { app } = sceneOf(object, around);
      if (switchedOn(app, control.paused)) {
        const path = `/metadata/annotations/${pointer(control.paused)}`;
        return {
          is: 'writes',
          writes: [patched(app, [{ op: 'remove', path }])],
          said: 'The operator cares for it again.',
        };
      }
      const patch = start(app);
      if (!patch) return refused('It is neither stopped nor paused.');
      if (!app.spec.currentDropletRef?.name) return refused('No droplet is assigned: push the app first.');
      return { ...written(app, patch), said: `Revision ${revisionsOf(app).appRev} is started.` };
    },
  },
];

function restartedAtOnce(app: CfApp): Steering {
  const stopped = stop(app);
  if (!stopped) return refused('The app is stopped: resume starts it.');
  return {
    is: 'writes',
    // The second write says only that the app is wanted: it holds whatever a controller wrote in between.
    writes: [
      ...written(app, stopped).writes,
      anyVersion(app, [{ op: 'replace', path: '/spec/desiredState', value: 'STARTED' }]),
    ],
    said: 'All instances end, then a new revision starts.',
    stake: { what: 'availability', question: 'The app does not serve while its instances end and start. Restart it?' },
  };
}

/** The record first, which does nothing by itself, then the one write of the app that decides. */
function rolled(scene: Scene, around: Around, id: string, droplet: string): Steering {
  const { app, situation } = scene;
  const stuck = scene.sets.find((set) => set.metadata.deletionTimestamp === undefined && !canRoll(set as StatefulSet));
  if (stuck) {
    return refused(
      `StatefulSet ${stuck.metadata.name} is of an early version and selects its pods by revision, so they cannot be replaced one by one: restart the app once with --force.`,
    );
  }
  const underWay = 'mark' in situation;
  const previous = dropletBefore(app, underWay);
  const { name: appGuid = '', namespace = '', uid = '' } = app.metadata;
  const record: AnyObject = {
    apiVersion: cfDeployment.apiVersion,
    kind: cfDeployment.type.kind,
    metadata: {
      name: id,
      namespace,
      labels: {
        [labels.guid]: id,
        [labels.appGuid]: appGuid,
        [labels.spaceGuid]: namespace,
        [labels.dropletGuid]: droplet,
        [labels.createdAt]: new Date(around.now).toISOString().slice(0, 19).replaceAll(':', '-'),
      },
      ownerReferences: [{ apiVersion: cfApp.apiVersion, kind: cfApp.type.kind, name: appGuid, uid }],
    },
    spec: {
      appRef: { name: appGuid },
      strategy: 'rolling',
      dropletRef: { name: droplet },
      ...(previous !== undefined && { previousDropletRef: { name: previous } }),
      maxInFlight: 1,
      step: 1,
    },
  };
  const begin = beginDeployment(app, { guid: id, droplet, underWay });
  return {
    is: 'writes',
    writes: [{ do: 'create', type: cfDeployment.type, object: record }, ...written(app, begin).writes],
    said: 'Instances are replaced one by one; an old one ends only when a new one is ready.',
  };
}

/** A merge patch of the app as operations, refused on any other version of it. */
function written(app: CfApp, merge: JsonObject): Extract<Steering, { is: 'writes' }> {
  const { metadata = {}, spec = {} } = merge as { metadata?: { annotations?: JsonObject }; spec?: JsonObject };
  const annotations = { ...app.metadata.annotations, ...metadata.annotations };
  const operations: PatchOperation[] = [
    ...(metadata.annotations ? [{ op: 'add', path: '/metadata/annotations', value: annotations } as const] : []),
    ...Object.entries(spec).flatMap(([key, value]): PatchOperation[] => {
      const path = `/spec/${pointer(key)}`;
      if (value !== null) return [{ op: 'add', path, value: value as Json }];
      return Object.hasOwn(app.spec, key) ? [{ op: 'remove', path }] : [];
    }),
  ];
  return { is: 'writes', writes: [patched(app, operations)], said: '' };
}

function patched(app: CfApp, operations: readonly PatchOperation[]): Write {
  const { resourceVersion } = app.metadata;
  const version: PatchOperation[] =
    resourceVersion === undefined ? [] : [{ op: 'test', path: '/metadata/resourceVersion', value: resourceVersion }];
  return anyVersion(app, [...version, ...operations]);
}

function anyVersion(app: CfApp, operations: readonly PatchOperation[]): Write {
  const { namespace = '', name = '', uid = '' } = app.metadata;
  const patch: readonly PatchOperation[] = [{ op: 'test', path: '/metadata/uid', value: uid }, ...operations];
  return { do: 'patch', type: cfApp.type, namespace, name, patch };
}

function pointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
