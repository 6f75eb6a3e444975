import type { CfBuild } from '../../resources/cf-build.ts';
import { conditionOf } from './condition-of.ts';
import { link, relation } from './links.ts';
import { presentIdentity, presentMetadata } from './metadata.ts';

/** How far staging has come: what its controller says, and STAGING until it has said anything. */
export function buildState({ status }: Pick<CfBuild, 'status'>): 'STAGING' | 'STAGED' | 'FAILED' {
  return status?.state ?? 'STAGING';
}

/** Why staging failed. */
export function buildError(build: CfBuild): string | null {
  if (buildState(build) !== 'FAILED') return null;
  const { reason, message } = conditionOf(build.status, 'Succeeded') ?? {};
  return message || reason || 'Staging failed.';
}

/** A build as the CF API shows it. Its droplet has the same GUID, and exists once the build is STAGED. */
export function presentBuild(build: CfBuild, base: string): object {
  const { name: guid = '' } = build.metadata;
  const { spec } = build;
  const state = buildState(build);
  const { buildpacks = null, stack } = spec.lifecycle.data ?? {};
  return {
    ...presentIdentity(build),
    created_by: {},
    state,
    staging_memory_in_mb: spec.stagingMemoryMB ?? 0,
    staging_disk_in_mb: spec.stagingDiskMB ?? 0,
    error: buildError(build),
    lifecycle: { type: spec.lifecycle.type, data: { buildpacks, ...(stack && { stack }) } },
    package: { guid: spec.packageRef.name ?? '' },
    droplet: state === 'STAGED' ? { guid } : null,
    relationships: { app: relation(spec.appRef.name) },
    metadata: presentMetadata(build),
    links: {
      app: link(base, `/v3/apps/${spec.appRef.name}`),
      ...(state === 'STAGED' && { droplet: link(base, `/v3/droplets/${guid}`) }),
      self: link(base, `/v3/builds/${guid}`),
    },
  };
}
