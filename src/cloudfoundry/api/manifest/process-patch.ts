import type { JsonObject } from '../../../kube/object.ts';
import type { CfProcessSpec } from '../../resources/cf-process.ts';
import type { ManifestProcess } from '../payload/manifest.ts';

type Check = NonNullable<CfProcessSpec['healthCheck']>;
type Fields = Readonly<Record<string, string | number | null | undefined>>;

/**
 * What of a process must change for a manifest to be true; `undefined` when it is true already. As everywhere, memory, disk,
 * command and health check hold from the next revision on; instances at once.
 */
export function processPatch(spec: Partial<CfProcessSpec>, wanted: ManifestProcess): JsonObject | undefined {
  const { command, instances, memoryMB, diskQuotaMB } = wanted;
  const fields = changed(
    {
      command: command === undefined ? undefined : command || null,
      desiredInstances: instances,
      memoryMB,
      diskQuotaMB,
    },
    { ...spec, command: spec.command || null },
  );
  const healthCheck = checkPatch(spec.healthCheck ?? {}, wanted.healthCheck);
  const patch = { ...fields, ...(healthCheck && { healthCheck }) };
  return Object.keys(patch).length === 0 ? undefined : { spec: patch };
}

/** A check by HTTP has an endpoint, the root when nobody names one; others have none. */
function checkPatch(before: Check, wanted: ManifestProcess['healthCheck']): JsonObject | undefined {
  if (!wanted) return undefined;
  const type = wanted.type ?? before.type;
  const endpoint = type === 'http' ? (wanted.endpoint ?? before.data?.httpEndpoint ?? '/') : null;
  const data = changed(
    {
      httpEndpoint: endpoint,
      invocationTimeoutSeconds: wanted.invocationTimeout,
      timeoutSeconds: wanted.timeout,
    },
    { ...before.data, httpEndpoint: before.data?.httpEndpoint ?? null },
  );
  const fields = changed({ type: wanted.type }, { type: before.type });
  const patch = { ...fields, ...(Object.keys(data).length > 0 && { data }) };
  return Object.keys(patch).length === 0 ? undefined : patch;
}

/** The fields that are wanted and not so already. */
function changed(wanted: Fields, before: object): JsonObject {
  const now = before as Fields;
  const entries = Object.entries(wanted).flatMap(([key, value]) =>
    value === undefined || value === now[key] ? [] : [[key, value] as const],
  );
  return Object.fromEntries(entries);
}
