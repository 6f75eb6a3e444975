import type { Caches } from '../../control/caches.ts';
import type { Controller } from '../../control/controller.ts';
import type { AnyController } from '../../control/operator.ts';
import { keyOf } from '../../kube/reflector/key.ts';
import { decideCfPackage } from '../decide/cf-package.ts';
import { appOf, openCloudFoundryCaches } from '../observe/caches.ts';
import { type CfPackageView, cfPackageView } from '../observe/cf-package-view.ts';
import { type CfPackage, cfPackage } from '../resources/cf-package.ts';
import { by } from './by.ts';
import { identity } from './identity.ts';
import type { CloudFoundryControllersOptions } from './options.ts';

/** Packages: the source of apps. */
export function cfPackageController({ settings }: CloudFoundryControllersOptions): (caches: Caches) => AnyController {
  return (opened) => {
    const { apps, packages, builds, deployments } = openCloudFoundryCaches(opened, settings);
    const sources = { caches: { apps, packages, builds, deployments }, settings };
    const ofApp = (key: string): string[] => packages.by('app', key).map(keyOf);
    const controller: Controller<CfPackage, CfPackageView> = {
      ...identity(cfPackage),
      name: 'cfpackage',
      primary: packages,
      triggers: [
        by(apps, (app) => ofApp(keyOf(app))),
        by(builds, (build) => appOf(build).flatMap(ofApp)),
        by(deployments, (deployment) => appOf(deployment).flatMap(ofApp)),
        // A newer one may make an older one surplus.
        by(packages, (one) => appOf(one).flatMap(ofApp)),
      ],
      observe: (_key, glance) => cfPackageView(glance, sources),
      decide: decideCfPackage,
    };
    return controller;
  };
}
