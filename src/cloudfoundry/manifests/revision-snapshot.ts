import type { RevisionSnapshot } from '../kept-revisions.ts';
import { vcapApplicationSecretName, vcapServicesSecretName } from '../names.ts';
import type { CfProcessSpec } from '../resources/cf-process.ts';
import type { CloudFoundrySettings } from '../settings.ts';
import { probesOf } from './probes.ts';
import { memoryQuantity } from './quantity.ts';

/** What a revision of a process is made of. */
export interface RevisionParts {
  readonly appGuid: string;
  readonly appRev: string;
  readonly processGuid: string;
  readonly process: CfProcessSpec;
  readonly lifecycle: 'buildpack' | 'docker';
  readonly droplet: {
    readonly image: string;
    readonly imagePullSecrets?: readonly { readonly name?: string }[];
    readonly ports?: readonly number[];
  };
  /** The Secret with the environment that users set, and its keys. */
  readonly env: { readonly secretName: string; readonly names: readonly string[] };
  readonly settings: Pick<CloudFoundrySettings, 'process' | 'runnerName'>;
}

type EnvEntry = NonNullable<RevisionSnapshot['env']>[number];

/** Where an app listens when its droplet does not say. */
export const usualPort = 8080;

/**
 * All of a revision, as it stays until the next one: image, command, environment, ports, probes and resources. Nothing here
 * depends on routes or on Cutover's own version, so mapping a route or updating Cutover changes no pod.
 */
export function revisionSnapshot(parts: RevisionParts): RevisionSnapshot {
  const { process, droplet, settings, lifecycle } = parts;
  const memoryMB = process.memoryMB || settings.process.memoryMB;
  const diskMB = process.diskQuotaMB || settings.process.diskQuotaMB;
  const port = listens(process) ? (droplet.ports?.[0] ?? usualPort) : undefined;
  const run = process.command || process.detectedCommand;
  const storage = { memory: memoryQuantity(memoryMB), 'ephemeral-storage': memoryQuantity(diskMB) };
  return {
    GUID: parts.processGuid,
    version: parts.appRev,
    appGUID: parts.appGuid,
    processType: process.processType,
    image: droplet.image,
    ...(droplet.imagePullSecrets?.length && { imagePullSecrets: droplet.imagePullSecrets }),
    ...(run && { command: lifecycle === 'docker' ? ['/bin/sh', '-c', run] : ['/cnb/lifecycle/launcher', run] }),
    env: environment(parts, memoryMB, port),
    ...(port !== undefined && { ports: [port], ...probesOf(process, port, settings.process.healthTimeoutSeconds) }),
    runnerName: settings.runnerName,
    resources: {
      limits: storage,
      requests: { cpu: `${Math.max(5, Math.floor((100 * memoryMB) / 1024))}m`, ...storage },
    },
  };
}

/** A web process listens, and so does any other whose health is found through a port. */
function listens({ processType, healthCheck }: CfProcessSpec): boolean {
  return processType === 'web' || healthCheck?.type === 'port' || healthCheck?.type === 'http';
}

/** Sorted by name. What the platform sets wins over what users set. */
function environment({ appGuid, env }: RevisionParts, memoryMB: number, port: number | undefined): readonly EnvEntry[] {
  const entries = new Map<string, EnvEntry>();
  const put = (entry: EnvEntry): void => void entries.set(entry.name, entry);
  const fromSecret = (name: string, secret: string): EnvEntry => ({
    name,
    valueFrom: { secretKeyRef: { name: secret, key: name } },
  });
  for (const name of env.names) put(fromSecret(name, env.secretName));
  put(fromSecret('VCAP_APPLICATION', vcapApplicationSecretName(appGuid)));
  put(fromSecret('VCAP_SERVICES', vcapServicesSecretName(appGuid)));
  put({ name: 'VCAP_APP_HOST', value: '0.0.0.0' });
  put({ name: 'MEMORY_LIMIT', value: `${memoryMB}M` });
  if (port !== undefined) {
    put({ name: 'PORT', value: String(port) });
    put({ name: 'VCAP_APP_PORT', value: String(port) });
    put({ name: 'CF_INSTANCE_PORTS', value: JSON.stringify([{ internal: port }]) });
  }
  return [...entries.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
