import { annotations as controlAnnotations } from '../../control/annotations.ts';
import { annotations, labels } from '../keys.ts';
import type { BuildWorkload } from '../resources/build-workload.ts';
import { buildWorkload } from '../resources/build-workload.ts';
import type { CfBuild } from '../resources/cf-build.ts';
import type { ImageSource } from '../resources/image.ts';
import type { CloudFoundrySettings } from '../settings.ts';
import { appEnvironment } from './app-environment.ts';
import { ownedBy } from './owned-by.ts';

export interface BuildParts {
  readonly build: CfBuild;
  readonly appGuid: string;
  readonly source: ImageSource;
  /** The Secret with the environment that users set, and its keys. */
  readonly env: { readonly secretName: string; readonly names: readonly string[] };
  readonly settings: Pick<CloudFoundrySettings, 'builderName' | 'version'>;
}

/** What is handed to a builder: it has the name of the build, so a build is handed over once. */
export function newBuildWorkload({ build, appGuid, source, env, settings }: BuildParts): BuildWorkload {
  const { name = '', namespace = '', uid } = build.metadata;
  const { buildpacks } = build.spec.lifecycle.data ?? {};
  return {
    apiVersion: buildWorkload.apiVersion,
    kind: buildWorkload.type.kind,
    metadata: {
      name,
      namespace,
      labels: { [labels.buildGuid]: name, [labels.appGuid]: appGuid },
      annotations: { [annotations.creationVersion]: settings.version, [controlAnnotations.id]: `${uid}-build` },
      ownerReferences: [ownedBy(build)],
    },
    spec: {
      buildRef: { name },
      source: { registry: source },
      ...(buildpacks?.length && { buildpacks }),
      env: appEnvironment(appGuid, env),
      builderName: settings.builderName,
    },
  };
}
