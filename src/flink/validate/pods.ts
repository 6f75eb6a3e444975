import { type Rule, short, shown } from './rule.ts';
import type { DeploymentSubject } from './subject.ts';

const pullPolicies = ['IfNotPresent', 'Always', 'Never'];
const logFiles = ['logback-console.xml', 'log4j-console.properties'];

export const imageRules: readonly Rule<DeploymentSubject>[] = [
  {
    rule: 'image-pull-policy',
    field: 'spec.imagePullPolicy',
    says: 'The pull policy is one that Kubernetes knows.',
    check: ({ spec: { imagePullPolicy: policy } }) =>
      policy === undefined || pullPolicies.includes(policy)
        ? undefined
        : `spec.imagePullPolicy is ${shown(policy)}, which Kubernetes does not know. Write IfNotPresent, Always or Never.`,
  },
];

export const logRules: readonly Rule<DeploymentSubject>[] = [
  {
    rule: 'log-configuration',
    field: 'spec.logConfiguration',
    says: 'Log configuration is given for the files that Flink reads: log4j-console.properties, logback-console.xml.',
    check: ({ spec: { logConfiguration = {} } }) =>
      Object.keys(logConfiguration)
        .filter((file) => !logFiles.includes(file))
        .map((file) => ({
          field: `spec.logConfiguration[${file}]`,
          message: `Invalid log config key: ${short(file)}. Allowed keys are [${logFiles.join(', ')}]: in a container Flink reads no other file. Rename the key in spec.logConfiguration to one of them.`,
        })),
  },
];

export const serviceAccountRules: readonly Rule<DeploymentSubject>[] = [
  {
    rule: 'service-account',
    field: 'spec.serviceAccount',
    says: 'The service account of the pods is given.',
    check: ({ spec: { serviceAccount: account } }) =>
      account?.trim()
        ? undefined
        : `spec.serviceAccount must be defined. If you use helm, its value should be the same with the name of jobServiceAccount. It is ${shown(account)}; write the name of a ServiceAccount of this namespace that may manage pods and config maps, "flink" by default.`,
  },
];
