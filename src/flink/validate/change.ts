import type { FlinkDeploymentSpec } from '../resources/flink-deployment.ts';
import type { FlinkSessionJobSpec } from '../resources/flink-session-job.ts';
import type { JobSpec } from '../resources/job-spec.ts';
import type { Nonces } from '../resources/progress.ts';
import { type Rule, shown } from './rule.ts';
import type { DeploymentSubject, Recorded, SessionJobSubject } from './subject.ts';

/** What a cluster is: rules for edits of one that is deployed. */
export const clusterChangeRules: readonly Rule<DeploymentSubject>[] = [
  {
    rule: 'cluster-kind-change',
    field: 'spec.job',
    says: 'A session cluster stays one, and so does an application cluster.',
    check({ spec, recorded }) {
      if (!recorded || (recorded.job === undefined) === (spec.job === undefined)) return undefined;
      return spec.job
        ? 'Cannot switch from session to job cluster: spec.job is given, and a session cluster is deployed under this name. Remove spec.job and submit the job as a FlinkSessionJob, or create a FlinkDeployment under another name.'
        : 'Cannot switch from job to session cluster: spec.job is absent, and an application cluster is deployed under this name. Write spec.job again, with state "suspended" to stop it, or create a session cluster under another name.';
    },
  },
  {
    rule: 'cluster-mode-change',
    field: 'spec.mode',
    says: 'A cluster stays native or standalone.',
    check({ spec, recorded }) {
      const [before, after] = [recorded?.mode ?? 'native', spec.mode ?? 'native'];
      if (!recorded || before === after) return undefined;
      return `Cannot switch from ${before} kubernetes to ${after} kubernetes cluster: spec.mode is ${shown(spec.mode)}. Write ${before}, or create a FlinkDeployment in ${after} mode under another name, from a savepoint of this one.`;
    },
  },
];

export const sessionChangeRules: readonly Rule<SessionJobSubject>[] = [
  {
    rule: 'session-name-change',
    field: 'spec.deploymentName',
    says: 'A session job stays in its session cluster.',
    check({ spec, recorded }) {
      if (!recorded || recorded.deploymentName === spec.deploymentName) return undefined;
      return `The deploymentName can't be changed: spec.deploymentName is ${shown(spec.deploymentName)}, and the job is in ${shown(recorded.deploymentName)}. Write that again, or create a FlinkSessionJob under another name for the other cluster.`;
    },
  },
];

/** Both redeploy nonces: checked when they change, against the last value acted upon; not at creation. */
export const redeployRules: readonly Rule<Recorded<FlinkDeploymentSpec | FlinkSessionJobSpec>>[] = [
  {
    rule: 'savepoint-redeploy-path',
    field: 'spec.job.initialSavepointPath',
    says: 'A change of savepointRedeployNonce needs an initialSavepointPath.',
    check(subject) {
      const nonce = changed(subject, 'savepointRedeployNonce');
      const path = subject.spec.job?.initialSavepointPath;
      if (!nonce || path?.trim()) return undefined;
      return `InitialSavepointPath must not be empty for savepoint redeployment: spec.job.savepointRedeployNonce is ${nonce.to} (${acted(nonce)}), and spec.job.initialSavepointPath is ${shown(path)}. Write the savepoint to start from there, or set the nonce back; statelessRedeployNonce starts without state.`;
    },
  },
  {
    rule: 'one-redeploy-at-a-time',
    field: 'spec.job.statelessRedeployNonce',
    says: 'Only one of savepointRedeployNonce and statelessRedeployNonce changes at a time.',
    check(subject) {
      const savepoint = edited(subject, 'savepointRedeployNonce');
      const stateless = edited(subject, 'statelessRedeployNonce');
      if (!savepoint || !stateless) return undefined;
      return `spec.job.savepointRedeployNonce is ${savepoint.to} (${acted(savepoint)}) and spec.job.statelessRedeployNonce is ${stateless.to} (${acted(stateless)}): they must not change together, for one asks for the state at initialSavepointPath and the other for none. Change only the one you mean and set the other back; the job is left as it is.`;
    },
  },
];

const remembered = {
  savepointRedeployNonce: 'savepointRedeploy',
  statelessRedeployNonce: 'statelessRedeploy',
} as const satisfies Partial<Record<keyof JobSpec, keyof Nonces>>;

interface Changed {
  readonly to: number;
  readonly from: number | undefined;
}

/** A nonce that is to be acted upon. A resource of the Java operator remembers none: there the deployed spec tells. */
export function changed(
  { spec, recorded, nonces }: Recorded<FlinkDeploymentSpec | FlinkSessionJobSpec>,
  name: keyof typeof remembered,
): Changed | undefined {
  const to = spec.job?.[name];
  if (!recorded || to === undefined) return undefined;
  const from = nonces?.[remembered[name]] ?? recorded.job?.[name];
  return to === from ? undefined : { to, from };
}

/** A nonce that this edit changes. One that is pending since an edit before is not: the later one supersedes it. */
function edited(
  subject: Recorded<FlinkDeploymentSpec | FlinkSessionJobSpec>,
  name: keyof typeof remembered,
): Changed | undefined {
  const found = changed(subject, name);
  return found?.to === subject.accepted?.job?.[name] ? undefined : found;
}

function acted({ from }: Changed): string {
  return from === undefined ? 'none was acted upon yet' : `${from} was acted upon last`;
}
