import { ownBlueGreenRules } from './blue-green.ts';
import { deploymentRules } from './deployment.ts';
import type { Rule } from './rule.ts';
import { sessionJobRules } from './session-job.ts';
import { snapshotRules } from './snapshot.ts';

/** A rule as people read it. */
export interface ListedRule extends Pick<Rule<never>, 'rule' | 'field' | 'says'> {
  readonly kind: 'FlinkDeployment' | 'FlinkSessionJob' | 'FlinkStateSnapshot' | 'FlinkBlueGreenDeployment';
}

/**
 * All rules, in the order in which they are reported. The template of a FlinkBlueGreenDeployment obeys those of a
 * FlinkDeployment, too; they are not listed twice.
 */
export const rules: readonly ListedRule[] = [
  ...listed('FlinkDeployment', deploymentRules),
  ...listed('FlinkSessionJob', sessionJobRules),
  ...listed('FlinkStateSnapshot', snapshotRules),
  ...listed('FlinkBlueGreenDeployment', ownBlueGreenRules),
];

function listed<S>(kind: ListedRule['kind'], of: readonly Rule<S>[]): readonly ListedRule[] {
  return of.map(({ rule, field, says }) => ({ kind, rule, field, says }));
}
