import type { ObjectMeta } from '../../kube/object.ts';
import { type Rule, short } from './rule.ts';
import type { DeploymentSubject, SessionJobSubject } from './subject.ts';

/** Services, ConfigMaps and pods are named after a cluster, with something appended; 45 characters leave room for it. */
const clusterName = /^[a-z](?:[-a-z0-9]{0,43}[a-z0-9])?$/;

/** Whether a FlinkDeployment may be called so. Such a name is a valid label, too. */
export function isClusterName(name: string): boolean {
  return clusterName.test(name);
}

export const nameRules: readonly Rule<DeploymentSubject>[] = [
  {
    rule: 'deployment-name',
    field: 'metadata.name',
    says: 'A cluster is named in at most 45 lower case letters, digits and hyphens, a letter first and no hyphen last.',
    check({ resource }) {
      const name = nameOf(resource.metadata);
      return isClusterName(name) ? undefined : `${refused(name)} Create it under such a name, in metadata.name.`;
    },
  },
];

export const deploymentNameRules: readonly Rule<SessionJobSubject>[] = [
  {
    rule: 'session-name',
    field: 'spec.deploymentName',
    says: 'A session job names its session cluster.',
    check({ spec: { deploymentName: name } }) {
      const wayOut = 'Write the name of a FlinkDeployment in the same namespace that has no spec.job.';
      if (!name) return `spec.deploymentName is missing: a session job runs in a session cluster. ${wayOut}`;
      return isClusterName(name) ? undefined : `${refused(name)} This is spec.deploymentName. ${wayOut}`;
    },
  },
];

/** The name, or one that the API server could make of `generateName`. */
export function nameOf({ name, generateName }: ObjectMeta): string {
  return name || (generateName ? `${generateName}xxxxx` : '');
}

function refused(name: string): string {
  return `The FlinkDeployment name: ${short(name)} is invalid, must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name', or 'abc-123'), and the length must be no more than 45 characters.`;
}
