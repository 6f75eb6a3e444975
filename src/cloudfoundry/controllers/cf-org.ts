import type { Caches } from '../../control/caches.ts';
import type { Controller } from '../../control/controller.ts';
import type { AnyController } from '../../control/operator.ts';
import { keyOf } from '../../kube/reflector/key.ts';
import { decideCfOrg } from '../decide/cf-org.ts';
import { ownAccount } from '../observe/own-account.ts';
import { openPlaceCaches } from '../observe/place-caches.ts';
import { cfOrgView, type PlaceView } from '../observe/place-view.ts';
import { type CfOrg, cfOrg } from '../resources/cf-org.ts';
import { by } from './by.ts';
import { identity } from './identity.ts';
import type { CloudFoundryControllersOptions } from './options.ts';

export function cfOrgController({
  client,
  settings,
  seal,
}: CloudFoundryControllersOptions): (caches: Caches) => AnyController {
  return (opened) => {
    const account = ownAccount(client);
    const caches = openPlaceCaches(opened, settings);
    const root = settings.rootNamespace;
    const keyOfOrg = (name: string | undefined): string => `${root}/${name}`;
    /** Of what is in a namespace: its organization, or all of them when it is the root namespace, which passes on. */
    const concerned = (namespace: string | undefined): Iterable<string> =>
      namespace === root ? [...caches.orgs.all()].map(keyOf) : [keyOfOrg(namespace)];
    const controller: Controller<CfOrg, PlaceView<CfOrg>> = {
      ...identity(cfOrg),
      name: 'cforg',
      primary: caches.orgs,
      triggers: [
        by(caches.namespaces, ({ metadata }) => [keyOfOrg(metadata.name)]),
        by(caches.roleBindings, ({ metadata }) => concerned(metadata.namespace)),
        ...caches.registrySecrets.map((cached) => by(cached, () => [...caches.orgs.all()].map(keyOf))),
        // Only whoever goes waits for what it holds.
        by(caches.spaces, ({ metadata }) =>
          caches.orgs.get(keyOfOrg(metadata.namespace))?.metadata.deletionTimestamp
            ? [keyOfOrg(metadata.namespace)]
            : [],
        ),
      ],
      observe: (key, glance) => cfOrgView(key, glance, { caches, client, account, settings, seal }),
      decide: decideCfOrg,
    };
    return controller;
  };
}
