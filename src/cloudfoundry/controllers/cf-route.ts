import type { Caches } from '../../control/caches.ts';
import type { Controller } from '../../control/controller.ts';
import type { AnyController } from '../../control/operator.ts';
import { owned } from '../../control/trigger.ts';
import { keyOf } from '../../kube/reflector/key.ts';
import { decideCfRoute } from '../decide/cf-route.ts';
import { appOf } from '../observe/caches.ts';
import { type CfRouteView, cfRouteView } from '../observe/cf-route-view.ts';
import { openRouteCaches } from '../observe/route-caches.ts';
import { type CfRoute, cfRoute } from '../resources/cf-route.ts';
import { addressKey } from '../route-address.ts';
import { by } from './by.ts';
import { identity } from './identity.ts';
import type { CloudFoundryControllersOptions } from './options.ts';

export function cfRouteController({
  client,
  settings,
}: CloudFoundryControllersOptions): (caches: Caches) => AnyController {
  return (opened) => {
    const caches = openRouteCaches(opened, settings);
    const { routes } = caches;
    const all = (): readonly string[] => [...routes.all()].map(keyOf);
    const controller: Controller<CfRoute, CfRouteView> = {
      ...identity(cfRoute),
      name: 'cfroute',
      primary: routes,
      triggers: [
        by(routes, (route) => routes.by('address', addressKey(route)).map(keyOf)),
        by(caches.domains, (domain) => routes.by('domain', keyOf(domain)).map(keyOf)),
        by(caches.apps, (app) => routes.by('app', keyOf(app)).map(keyOf)),
        by(caches.builds, (build) => appOf(build).flatMap((app) => routes.by('app', app).map(keyOf))),
        owned(caches.services, cfRoute.type),
        owned(caches.httpRoutes, cfRoute.type),
        owned(caches.ingresses, cfRoute.type),
        // Whatever can be used from now on, or no longer.
        by(caches.gatewayApi, all),
        by(caches.ingressClasses, all),
      ],
      observe: (key, glance) => cfRouteView(key, glance, { caches, client, settings }),
      decide: decideCfRoute,
    };
    return controller;
  };
}
