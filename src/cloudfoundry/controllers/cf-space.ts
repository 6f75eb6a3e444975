import type { Caches } from '../../control/caches.ts';
import type { Controller } from '../../control/controller.ts';
import type { AnyController } from '../../control/operator.ts';
import type { KubeObject } from '../../kube/object.ts';
import { keyOf } from '../../kube/reflector/key.ts';
import { decideCfSpace } from '../decide/cf-space.ts';
import { ownAccount } from '../observe/own-account.ts';
import { openPlaceCaches } from '../observe/place-caches.ts';
import { cfSpaceView, type PlaceView } from '../observe/place-view.ts';
import { type CfSpace, cfSpace } from '../resources/cf-space.ts';
import { by } from './by.ts';
import { identity } from './identity.ts';
import type { CloudFoundryControllersOptions } from './options.ts';

export function cfSpaceController({
  client,
  settings,
  seal,
}: CloudFoundryControllersOptions): (caches: Caches) => AnyController {
  return (opened) => {
    const account = ownAccount(client);
    const caches = openPlaceCaches(opened, settings);
    const called = (name = ''): readonly CfSpace[] => caches.spaces.by('name', name);
    const keysOf = (spaces: Iterable<CfSpace>): readonly string[] => [...spaces].map(keyOf);
    /** Of what is in a namespace: its space, or those of the organization, which passes it on. */
    const concerned = ({ metadata: { namespace = '' } }: KubeObject): readonly string[] =>
      keysOf([...called(namespace), ...caches.spaces.by('org', namespace)]);
    // Only whoever goes waits for what it holds.
    const leaving = ({ metadata }: KubeObject): readonly string[] =>
      keysOf(called(metadata.namespace).filter((space) => space.metadata.deletionTimestamp));
    const controller: Controller<CfSpace, PlaceView<CfSpace>> = {
      ...identity(cfSpace),
      name: 'cfspace',
      primary: caches.spaces,
      triggers: [
        by(caches.orgs, ({ metadata }) => keysOf(caches.spaces.by('org', metadata.name ?? ''))),
        by(caches.namespaces, ({ metadata }) => keysOf(called(metadata.name))),
        by(caches.roleBindings, concerned),
        ...caches.registrySecrets.map((cached) => by(cached, () => keysOf(caches.spaces.all()))),
        by(caches.rootServiceAccounts, () => keysOf(caches.spaces.all())),
        by(caches.copiedServiceAccounts, ({ metadata }) => keysOf(called(metadata.namespace))),
        by(caches.apps, leaving),
        by(caches.routes, leaving),
      ],
      observe: (key, glance) => cfSpaceView(key, glance, { caches, client, account, settings, seal }),
      decide: decideCfSpace,
    };
    return controller;
  };
}
