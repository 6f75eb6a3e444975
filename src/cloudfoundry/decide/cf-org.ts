import type { Decision } from '../../control/decision.ts';
import { orgNamespaceMetadata } from '../manifests/place-namespace.ts';
import type { PlaceView } from '../observe/place-view.ts';
import type { CfOrg } from '../resources/cf-org.ts';
import { orgFurnishing } from './furnishings.ts';
import { decidePlace } from './place/place.ts';

/** An organization: its namespace, with the rights that the root namespace passes on. It goes after its spaces. */
export function decideCfOrg(view: PlaceView<CfOrg>): Decision {
  return decidePlace(view, {
    furnishing: orgFurnishing(view.place, view.settings.version),
    misplaced: 'NotInRootNamespace',
    metadata: orgNamespaceMetadata(view.place),
  });
}
