import { createHash } from 'node:crypto';

/** Names that other programs compute as well: they are published, and never change. */

/** RFC 4122's namespace of DNS names. */
const dnsNamespace = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';

/** The GUID of a process: the same for the same app and type, so that it cannot be made twice. */
export function processGuid(appGuid: string, processType: string): string {
  return uuidV5(uuidV5(dnsNamespace, appGuid), processType);
}

/**
 * The name of a new AppWorkload. It hashes `last-stop-app-rev`: a stop makes the next one another object, a rolling
 * deployment does not. Published names have 4 digits, which collide (92929 and 92930); ours have 10, and workloads are found
 * by their annotation, never by name.
 */
export function workloadName(process: string, lastStopAppRev: string): string {
  return `${process}-${digest('sha1', lastStopAppRev).slice(0, 10)}`;
}

/** The name of a StatefulSet: short enough for the pods' `controller-revision-hash`. */
export function statefulSetName(workload: {
  readonly appGuid: string;
  readonly processGuid: string;
  readonly namespace: string;
  readonly lastStopAppRev: string;
}): string {
  const { appGuid, namespace, lastStopAppRev } = workload;
  const hash = digest('sha256', `${workload.processGuid}-${lastStopAppRev}`).slice(0, 10);
  const readable = `${appGuid}-${namespace}`.slice(0, 40).toLowerCase().replaceAll('_', '-');
  const name = `${readable}-${hash}`;
  return /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name) ? name : `${workload.processGuid}-${hash}`;
}

/** The ClusterRole of what the operator does to the Secrets of organizations and spaces; it binds it to itself in each of them. */
export const placesRoleName = 'cutover-cloudfoundry-places';

/** What stands in a label for a name that a label cannot hold. */
export function labelHash(name: string): string {
  return digest('sha224', name);
}

/** The Secret with the environment of one revision. */
export function revisionSecretName(appGuid: string, appRev: string): string {
  return `${appGuid}-env-${appRev}`;
}

export function vcapApplicationSecretName(appGuid: string): string {
  return `${appGuid}-vcap-application`;
}

export function vcapServicesSecretName(appGuid: string): string {
  return `${appGuid}-vcap-services`;
}

/** The Service of one destination of a route. */
export function destinationServiceName(destinationGuid: string): string {
  return `s-${destinationGuid}`;
}

function digest(algorithm: 'sha1' | 'sha224' | 'sha256', text: string): string {
  return createHash(algorithm).update(text, 'utf8').digest('hex');
}

function uuidV5(namespace: string, name: string): string {
  const hash = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name, 'utf8')
    .digest();
  const bytes = hash.subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
