import { stringify } from 'yaml';
import { installation } from '../src/cloudfoundry/install/installation.ts';
import { defaultSettings } from '../src/cloudfoundry/settings.ts';

const head = `# What Cutover needs for Cloud Foundry beside the definitions in crds/: the root namespace, the roles that people are given, and
# what the operator may do. Generated; change names and the administrator to yours.
#
#   kubectl create namespace cutover-system
#   kubectl apply --server-side -f crds/ -f examples/cloudfoundry/install.yaml
`;

/** The manifest of an installation with all defaults. */
export function installationPage(): string {
  const objects = installation(defaultSettings, {
    operator: { namespace: 'cutover-system', name: 'cutover' },
    admins: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'cf-admin' }],
  });
  return `${head}${objects.map((object) => `---\n${stringify(object, { lineWidth: 0, aliasDuplicateObjects: false })}`).join('')}`;
}
