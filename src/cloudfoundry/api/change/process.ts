import type { JsonObject } from '../../../kube/object.ts';
import { metadataPatch } from '../payload/metadata-patch.ts';
import type { ChangedProcess, Scale } from '../payload/process.ts';

/** `POST …/actions/scale`; nothing when the request asks for nothing. Memory and disk hold from the next revision on. */
export function scaled({ instances, memory_in_mb, disk_in_mb }: Scale): JsonObject | undefined {
  const spec = {
    ...(typeof instances === 'number' && { desiredInstances: instances }),
    ...(typeof memory_in_mb === 'number' && { memoryMB: memory_in_mb }),
    ...(typeof disk_in_mb === 'number' && { diskQuotaMB: disk_in_mb }),
  };
  return Object.keys(spec).length === 0 ? undefined : { spec };
}

/** `PATCH /v3/processes/{guid}`. A `null` returns to what holds when nobody says otherwise. */
export function changedProcess({ command, health_check, metadata }: ChangedProcess): JsonObject | undefined {
  const { type, data } = health_check ?? {};
  const check = {
    ...(data?.timeout !== undefined && { timeoutSeconds: data.timeout }),
    ...(data?.invocation_timeout !== undefined && { invocationTimeoutSeconds: data.invocation_timeout }),
    ...(data?.endpoint !== undefined && { httpEndpoint: data.endpoint }),
  };
  const healthCheck = { ...(type && { type }), ...(Object.keys(check).length > 0 && { data: check }) };
  const spec = {
    ...(command !== undefined && { command: command || null }),
    ...(Object.keys(healthCheck).length > 0 && { healthCheck }),
  };
  const patch = metadataPatch(metadata);
  return Object.keys(spec).length === 0 ? patch : { ...patch, spec };
}
