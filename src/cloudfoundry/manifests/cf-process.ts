import { annotations as controlAnnotations } from '../../control/annotations.ts';
import { annotations, labels } from '../keys.ts';
import { processGuid } from '../names.ts';
import type { CfApp } from '../resources/cf-app.ts';
import { type CfProcess, type CfProcessSpec, cfProcess } from '../resources/cf-process.ts';
import type { CloudFoundrySettings } from '../settings.ts';
import { ownedBy } from './owned-by.ts';

type ProcessSettings = Pick<CloudFoundrySettings, 'version' | 'process'>;

/** What a process has when nobody says otherwise. */
export function processDefaults(
  processType: string,
  { process }: Pick<CloudFoundrySettings, 'process'>,
): Required<Pick<CfProcessSpec, 'desiredInstances' | 'memoryMB' | 'diskQuotaMB' | 'healthCheck'>> {
  const web = processType === 'web';
  return {
    desiredInstances: web ? 1 : 0,
    memoryMB: process.memoryMB,
    diskQuotaMB: process.diskQuotaMB,
    healthCheck: {
      type: web ? 'port' : 'process',
      data: { invocationTimeoutSeconds: 0, timeoutSeconds: process.healthTimeoutSeconds },
    },
  };
}

/**
 * A process that the droplet of an app has, and nobody has made yet. Its name makes sure that there is one of each type.
 * `createdAt` is for the label of that name.
 */
export function newProcess(
  app: CfApp,
  process: { readonly type: string; readonly command?: string },
  settings: ProcessSettings,
  createdAt: string,
): CfProcess {
  const { name: appGuid = '', namespace = '', uid } = app.metadata;
  const { type, command } = process;
  const name = processGuid(appGuid, type);
  return {
    apiVersion: cfProcess.apiVersion,
    kind: cfProcess.type.kind,
    metadata: {
      name,
      namespace,
      labels: {
        [labels.guid]: name,
        [labels.appGuid]: appGuid,
        [labels.processType]: type,
        [labels.spaceGuid]: namespace,
        [labels.createdAt]: createdAt,
      },
      annotations: {
        [annotations.creationVersion]: settings.version,
        [controlAnnotations.id]: `${uid}-process-${type}`,
      },
      ownerReferences: [ownedBy(app)],
    },
    spec: {
      appRef: { name: appGuid },
      processType: type,
      ...(command && { detectedCommand: command }),
      ...processDefaults(type, settings),
    },
  };
}
