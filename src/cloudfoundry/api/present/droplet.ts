import type { CfBuild } from '../../resources/cf-build.ts';
import { link, relation } from './links.ts';
import { presentIdentity, presentMetadata } from './metadata.ts';

/** The droplet of a build that is STAGED. */
export function presentDroplet(build: CfBuild, base: string): object {
  const { name: guid = '' } = build.metadata;
  const { spec, status } = build;
  const { registry, stack = '', processTypes = [] } = status?.droplet ?? {};
  const app = `/v3/apps/${spec.appRef.name}`;
  return {
    ...presentIdentity(build),
    state: 'STAGED',
    error: null,
    lifecycle: { type: spec.lifecycle.type, data: { buildpacks: [] } },
    execution_metadata: '',
    checksum: null,
    buildpacks: (spec.lifecycle.data?.buildpacks ?? []).map((name) => ({
      name,
      detect_output: '',
      version: '',
      buildpack_name: name,
    })),
    process_types: Object.fromEntries(processTypes.map(({ type, command }) => [type, command])),
    stack,
    image: spec.lifecycle.type === 'docker' ? (registry?.image ?? null) : null,
    relationships: { app: relation(spec.appRef.name) },
    metadata: presentMetadata(build),
    links: {
      app: link(base, app),
      assign_current_droplet: link(base, `${app}/relationships/current_droplet`, 'PATCH'),
      download: null,
      package: link(base, `/v3/packages/${spec.packageRef.name}`),
      self: link(base, `/v3/droplets/${guid}`),
    },
  };
}
