import type { AnyObject } from '../../kube/object.ts';
import type { Blueprint } from './blueprint.ts';
import type { ConfigFile } from './config-file.ts';
import { configMapName, logFiles } from './config-volume.ts';
import { commonLabels, metadata, ownedByDeployment } from './metadata.ts';

/** The configuration of a cluster and of its logs. */
export function configMap(blueprint: Blueprint, file: ConfigFile, deploymentUid: string): AnyObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: metadata(blueprint, {
      name: configMapName(blueprint),
      owner: ownedByDeployment(blueprint, deploymentUid),
      labels: commonLabels(blueprint),
    }),
    data: { ...logFiles(blueprint), [file.name]: file.text },
  };
}
