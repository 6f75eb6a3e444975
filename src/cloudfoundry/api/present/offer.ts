import type { BuilderInfo } from '../../resources/builder-info.ts';
import { link } from './links.ts';

type Offer = NonNullable<NonNullable<BuilderInfo['status']>['buildpacks']>[number];

const nothing = { labels: {}, annotations: {} };

/** A buildpack that the builder offers. It has no GUID of its own: its name is unique among them. */
export function presentBuildpack(offer: Offer, position: number): object {
  const { name, version, stack = '' } = offer;
  return {
    guid: name,
    ...times(offer),
    name,
    filename: version ? `${name}@${version}` : name,
    stack,
    position,
    enabled: true,
    locked: false,
    metadata: nothing,
    links: {},
  };
}

/** A stack that the builder offers. */
export function presentStack(offer: Offer, base: string): object {
  const { name, description = '' } = offer;
  return {
    guid: name,
    ...times(offer),
    name,
    description,
    metadata: nothing,
    links: { self: link(base, '/v3/stacks') },
  };
}

function times({ createdAt = '', updatedAt = '' }: Offer): object {
  return { created_at: createdAt, updated_at: updatedAt || createdAt };
}
