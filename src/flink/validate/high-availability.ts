import type { FlinkConfig } from '../config/flink-config.ts';
import { flinkOptions } from '../config/flink-options.ts';
import { highAvailability } from '../config/high-availability.ts';
import { operatorOptions } from '../config/operator-options.ts';
import { read } from '../config/option.ts';
import { changed } from './change.ts';
import { type Finding, type Rule, shown } from './rule.ts';
import { fieldOfKey, type Setting, settingOf, shownSetting } from './setting.ts';
import type { DeploymentSubject } from './subject.ts';

export const jobManagerReplicaRules: readonly Rule<DeploymentSubject>[] = [
  {
    rule: 'job-manager-replicas',
    field: 'spec.jobManager.replicas',
    says: 'There is at least one JobManager.',
    check({ spec: { jobManager } }) {
      const replicas = jobManager?.replicas ?? 1;
      return replicas < 1
        ? `JobManager replicas should not be configured less than one. spec.jobManager.replicas is ${replicas}: write 1; spec.job.state "suspended" stops a job.`
        : undefined;
    },
  },
  {
    rule: 'standby-needs-ha',
    field: 'spec.jobManager.replicas',
    says: 'More than one JobManager needs high availability.',
    check({ spec: { jobManager }, config }) {
      const replicas = jobManager?.replicas ?? 1;
      return replicas > 1 && highAvailability(config) === 'none'
        ? `High availability should be enabled when starting standby JobManagers. spec.jobManager.replicas is ${replicas}: write 1, or "high-availability.type: kubernetes" and a high-availability.storageDir in spec.flinkConfiguration.`
        : undefined;
    },
  },
];

/**
 * Metadata for recovery that only Flink can read and remove. A job that ends by itself, by a cancellation or by a savepoint
 * cleans up behind itself; whatever else needs to know or to drop the metadata cannot be done.
 */
export const foreignMetadataRules: readonly Rule<DeploymentSubject>[] = [
  foreignMetadata({
    rule: 'last-state-metadata',
    field: 'spec.job.upgradeMode',
    says: 'The upgrade mode last-state needs metadata for recovery that Cutover can read: that of Kubernetes.',
    check: ({ job }) =>
      job?.upgradeMode === 'last-state'
        ? 'spec.job.upgradeMode is last-state, which reads that metadata. Write "savepoint" or "stateless"'
        : undefined,
  }),
  foreignMetadata({
    rule: 'rollback-metadata',
    field: fieldOfKey(operatorOptions.rollbackEnabled.key),
    says: 'Rollback needs metadata for recovery that Cutover can read: that of Kubernetes.',
    check: ({ config }) =>
      read(config, operatorOptions.rollbackEnabled)
        ? `${operatorOptions.rollbackEnabled.key} is true, and a rollback reads that metadata. Disable it`
        : undefined,
  }),
  foreignMetadata({
    rule: 'redeploy-metadata',
    field: 'spec.job',
    says: 'Redeploy nonces need metadata for recovery that Cutover can remove: that of Kubernetes.',
    check: (subject) =>
      (['savepointRedeployNonce', 'statelessRedeployNonce'] as const).flatMap((name) => {
        const nonce = changed(subject, name);
        if (!nonce) return [];
        const message = `spec.job.${name} is ${nonce.to}, and a redeploy removes that metadata: what is left of it would bring the old job back. Set the nonce back to ${shown(nonce.from ?? null)}`;
        return [{ field: `spec.job.${name}`, message }];
      }),
  }),
];

/** What makes Flink keep its metadata for recovery in ZooKeeper, or wherever a class of the users keeps it. */
export function foreignType(config: FlinkConfig): Setting | undefined {
  const kept = highAvailability(config);
  return kept === 'zookeeper' || kept === 'custom' ? settingOf(config, flinkOptions.haType) : undefined;
}

/** The same rule for applications whose metadata is not kept in Kubernetes, with the reason. */
function foreignMetadata(rule: Rule<DeploymentSubject>): Rule<DeploymentSubject> {
  return {
    ...rule,
    check(subject) {
      const type = foreignType(subject.config);
      if (!type || !subject.job) return undefined;
      const found = rule.check(subject);
      const because = (message: string): string =>
        `${shownSetting(type)}: Cutover reads and removes metadata for recovery only in Kubernetes. ${message}, or write "high-availability.type: kubernetes" in spec.flinkConfiguration.`;
      return [found].flat().map((finding: Finding) => {
        if (finding === undefined) return undefined;
        return typeof finding === 'string' ? because(finding) : { ...finding, message: because(finding.message) };
      });
    },
  };
}
