import type { Decision } from '../../control/decision.ts';
import { spaceNamespaceMetadata } from '../manifests/place-namespace.ts';
import type { PlaceView } from '../observe/place-view.ts';
import type { CfSpace } from '../resources/cf-space.ts';
import { spaceFurnishing } from './furnishings.ts';
import { decidePlace } from './place/place.ts';

/**
 * A space: its namespace, with the rights that its organization passes on, and the accounts that apps and tasks run as, which
 * the root namespace passes on. It goes after its apps and routes.
 */
export function decideCfSpace(view: PlaceView<CfSpace>): Decision {
  return decidePlace(view, {
    furnishing: spaceFurnishing(view.place, view.settings.version),
    misplaced: 'OrganizationNotFound',
    metadata: spaceNamespaceMetadata(view.place),
  });
}
