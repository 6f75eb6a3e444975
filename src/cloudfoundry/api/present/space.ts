import type { CfSpace } from '../../resources/cf-space.ts';
import { link, relation } from './links.ts';
import { presentIdentity, presentMetadata } from './metadata.ts';

export function presentSpace(space: CfSpace, base: string): object {
  const { name, namespace } = space.metadata;
  return {
    name: space.spec.displayName,
    ...presentIdentity(space),
    links: { self: link(base, `/v3/spaces/${name}`), organization: link(base, `/v3/organizations/${namespace}`) },
    metadata: presentMetadata(space),
    relationships: { organization: relation(namespace) },
  };
}
