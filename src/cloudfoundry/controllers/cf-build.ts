import type { Caches } from '../../control/caches.ts';
import type { Controller } from '../../control/controller.ts';
import type { AnyController } from '../../control/operator.ts';
import { owned } from '../../control/trigger.ts';
import { keyOf } from '../../kube/reflector/key.ts';
import { decideCfBuild } from '../decide/cf-build.ts';
import { appOf, openCloudFoundryCaches } from '../observe/caches.ts';
import { type CfBuildView, cfBuildView, hasEnded } from '../observe/cf-build-view.ts';
import { imageRegistry } from '../ports/image-registry.ts';
import { type CfBuild, cfBuild } from '../resources/cf-build.ts';
import { by } from './by.ts';
import { identity } from './identity.ts';
import type { CloudFoundryControllersOptions } from './options.ts';

/** Builds: from packages to droplets. */
export function cfBuildController(options: CloudFoundryControllersOptions): (caches: Caches) => AnyController {
  const { client, clock, settings, seal, registry = imageRegistry({ clock }) } = options;
  return (opened) => {
    const caches = openCloudFoundryCaches(opened, settings);
    const { apps, packages, builds, deployments, buildWorkloads, builderInfos } = caches;
    const sources = {
      caches: { apps, packages, builds, deployments, buildWorkloads, builderInfos },
      client,
      clock,
      registry,
      settings,
      seal,
    };
    const ofApp = (key: string): string[] => builds.by('app', key).map(keyOf);
    const controller: Controller<CfBuild, CfBuildView> = {
      ...identity(cfBuild),
      name: 'cfbuild',
      primary: builds,
      triggers: [
        by(apps, (app) => ofApp(keyOf(app))),
        by(packages, (one) => builds.by('package', keyOf(one)).map(keyOf)),
        by(deployments, (deployment) => appOf(deployment).flatMap(ofApp)),
        // A newer one may make an older one surplus.
        by(builds, (build) => appOf(build).flatMap(ofApp)),
        owned(buildWorkloads, cfBuild.type),
        by(builderInfos, () => [...builds.all()].filter((build) => !hasEnded(build)).map(keyOf)),
      ],
      observe: (key, glance) => cfBuildView(key, glance, sources),
      decide: decideCfBuild,
    };
    return controller;
  };
}
