import { flinkVersions } from '../resources/flink-deployment.ts';
import type { Rule } from './rule.ts';
import type { DeploymentSubject } from './subject.ts';

const oldest = 'v1_15';
const newest = flinkVersions.at(-1);
const supported: readonly string[] = flinkVersions.slice(flinkVersions.indexOf(oldest));

export const versionRules: readonly Rule<DeploymentSubject>[] = [
  {
    rule: 'flink-version',
    field: 'spec.flinkVersion',
    says: `The version of Flink in the image is given, and is ${oldest} or newer.`,
    check: ({ spec: { flinkVersion: version } }) =>
      version !== undefined && supported.includes(version)
        ? undefined
        : `Flink version ${version ?? 'null'} is not supported by this operator version. Write the version of the image into spec.flinkVersion, ${oldest} to ${newest}, such as v1_20 for flink:1.20.`,
  },
  {
    rule: 'flink-version-after-last-state',
    field: 'spec.flinkVersion',
    says: 'A job that was suspended by last-state is resumed with the version that suspended it, unless it is stateless.',
    check({ spec, recorded, transition }) {
      const [before, after] = [recorded?.flinkVersion, spec.flinkVersion];
      if (before === undefined || before === after || !keepsHaMetadata({ recorded, transition })) return undefined;
      if ((spec.job?.upgradeMode ?? 'stateless') === 'stateless') return undefined;
      return `Changing flinkVersion after last-state suspend is not allowed. Restore your cluster with the current flinkVersion and perform the version upgrade afterwards. spec.flinkVersion is ${after ?? 'absent'}: write ${before} with spec.job.state "running", wait until the job runs, then write the new version.`;
    },
  },
];

/** The job is stopped, and only Flink's own metadata, which another version cannot read, says where its state is. */
function keepsHaMetadata({ recorded, transition }: Pick<DeploymentSubject, 'recorded' | 'transition'>): boolean {
  if (transition) return transition.restore.mode === 'last-state';
  return recorded?.job?.state === 'suspended' && recorded.job.upgradeMode === 'last-state';
}
