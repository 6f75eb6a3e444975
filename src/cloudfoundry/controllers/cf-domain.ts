import type { Caches } from '../../control/caches.ts';
import type { Controller } from '../../control/controller.ts';
import type { AnyController } from '../../control/operator.ts';
import { decideCfDomain } from '../decide/cf-domain.ts';
import { domainOf, openCloudFoundryCaches } from '../observe/caches.ts';
import { type CfDomainView, cfDomainView } from '../observe/cf-domain-view.ts';
import { type CfDomain, cfDomain } from '../resources/cf-domain.ts';
import { by } from './by.ts';
import { identity } from './identity.ts';
import type { CloudFoundryControllersOptions } from './options.ts';

export function cfDomainController({
  client,
  settings,
}: CloudFoundryControllersOptions): (caches: Caches) => AnyController {
  return (opened) => {
    const { domains, routes } = openCloudFoundryCaches(opened, settings);
    const controller: Controller<CfDomain, CfDomainView> = {
      ...identity(cfDomain),
      name: 'cfdomain',
      primary: domains,
      // Only whoever goes waits for its routes.
      triggers: [by(routes, (route) => domainOf(route).filter((key) => domains.get(key)?.metadata.deletionTimestamp))],
      observe: (key, glance) => cfDomainView(key, glance, { caches: { routes }, client, settings }),
      decide: decideCfDomain,
    };
    return controller;
  };
}
