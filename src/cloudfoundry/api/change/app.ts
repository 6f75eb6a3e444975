import type { Json, JsonObject } from '../../../kube/object.ts';
import { labels } from '../../keys.ts';
import { labelHash } from '../../names.ts';
import type { CfApp } from '../../resources/cf-app.ts';
import { unprocessable } from '../cf-error.ts';
import type { ChangedApp } from '../payload/app.ts';
import { metadataPatch } from '../payload/metadata-patch.ts';

/** `PATCH /v3/apps/{guid}`: name, lifecycle and metadata. Nothing of it restarts anything. */
export function changedApp(app: CfApp, wanted: ChangedApp): JsonObject | undefined {
  const { name, lifecycle } = wanted;
  if (lifecycle?.type && lifecycle.type !== app.spec.lifecycle.type) {
    throw unprocessable('Lifecycle type cannot be changed');
  }
  const { data } = lifecycle ?? {};
  const spec = {
    ...(name !== undefined && { displayName: name }),
    ...(data && { lifecycle: { data: { ...given('buildpacks', data.buildpacks), ...given('stack', data.stack) } } }),
  };
  const patch = metadataPatch(wanted.metadata, app.metadata);
  if (Object.keys(spec).length === 0) return patch;
  const metadata = (patch?.metadata ?? {}) as { readonly labels?: JsonObject };
  const renamed = name === undefined ? {} : { labels: { ...metadata.labels, [labels.displayName]: labelHash(name) } };
  return { metadata: { ...metadata, ...renamed }, spec };
}

/** A field that was given, `null` included: it returns to what holds when nobody says otherwise. */
function given(field: string, value: Json | undefined): JsonObject {
  return value === undefined ? {} : { [field]: value };
}
