import { coreAccess } from '../../control/core-access.ts';
import { policyRules } from '../../control/policy-rules.ts';
import { cloudFoundryAccess, cloudFoundryApiAccess } from '../access.ts';
import { placesRoleName } from '../names.ts';
import { type ClusterRole, clusterRole } from './policy-rule.ts';

/** The ClusterRole of the operator and of the API's own account. */
export const operatorRoleName = 'cutover-cloudfoundry';

const grants = [...coreAccess, ...cloudFoundryAccess, ...cloudFoundryApiAccess];

/**
 * What the operator must be able to do itself, and the API with the operator's identity: what the code declares. Users' requests
 * are made with their own credentials and need nothing of this.
 *
 * RoleBindings are passed on, which Kubernetes allows only to those who may `bind` the role: the published ones. One of
 * another ClusterRole is passed on when the operator was given `bind` on that as well; until then its place says so.
 */
export function operatorRole(): ClusterRole {
  return clusterRole(
    operatorRoleName,
    (['watched', 'home', 'cluster'] as const).flatMap((where) => policyRules(grants, where)),
  );
}

/** What it does to Secrets. Nobody is bound to it in the whole cluster: the operator binds itself in each namespace that it makes. */
export function placesRole(): ClusterRole {
  return clusterRole(placesRoleName, policyRules(grants, 'places'));
}
