import type { CfApiDoor } from '../cloudfoundry/open-cloud-foundry.ts';
import type { ImageRegistry } from '../cloudfoundry/ports/image-registry.ts';
import type { Common, Running } from './running.ts';
import { version } from './version.ts';

export interface CloudFoundryRun {
  /** The text of its configuration. */
  readonly config?: string;
  readonly api?: CfApiDoor;
  readonly registry?: ImageRegistry;
  /** Told where the API is served. */
  readonly onServed?: (port: number) => void;
}

export async function openCloudFoundry(
  common: Common,
  { config = '', api, registry, onServed }: CloudFoundryRun,
): Promise<Running> {
  const [{ openCloudFoundry: open }, { parseSettings }] = await Promise.all([
    import('../cloudfoundry/open-cloud-foundry.ts'),
    import('../cloudfoundry/parse-settings.ts'),
  ]);
  const settings = parseSettings(config, version);
  const family = open({ ...common, settings, ...(api && { api }), ...(registry && { registry }) });
  return {
    ...family,
    family: async () => (await import('../cloudfoundry/family.ts')).cloudFoundryFamily,
    hooks: async () => family.hooks,
    serve: async () => {
      const door = await family.serve();
      if (door) onServed?.(door.port);
    },
  };
}
